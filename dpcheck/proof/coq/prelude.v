(* What the exported proofs rest on: the meaning of the few operations that the standard library has not, and lemmas
   and tactics for the rules of certificates. Everything here is proved; there is no axiom of ours. *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From Interval Require Import Tactic.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* The meaning of operations *)

Definition integer (x : R) : Prop := exists z : Z, x = IZR z.
Definition rounded_down (x : R) : R := IZR (Int_part x).
Definition rounded_up (x : R) : R := - rounded_down (- x).
(* a ^ b for a real b: of a base above 0 by the logarithm; 0 ^ b is 0, and 0 ^ 0 is 1. *)
Definition power (a b : R) : R :=
  if Rlt_dec 0 a then Rpower a b else if Req_EM_T b 0 then 1 else 0.

Lemma power_above a b : 0 < a -> power a b = exp (b * ln a).
Proof. intros H. unfold power, Rpower. destruct (Rlt_dec 0 a); [reflexivity | contradiction]. Qed.

Lemma power_half a b : 0 < a -> b = 1 / 2 -> power a b = sqrt a.
Proof.
  intros H E. rewrite power_above by assumption. rewrite E, <- Rpower_sqrt by assumption.
  unfold Rpower. f_equal. lra.
Qed.

(* Integers *)

Lemma integer_number z : integer (IZR z).
Proof. exists z. reflexivity. Qed.
Lemma integer_plus x y : integer x -> integer y -> integer (x + y).
Proof. intros [a A] [b B]. exists (a + b)%Z. rewrite plus_IZR. congruence. Qed.
Lemma integer_minus x y : integer x -> integer y -> integer (x - y).
Proof. intros [a A] [b B]. exists (a - b)%Z. rewrite minus_IZR. congruence. Qed.
Lemma integer_times x y : integer x -> integer y -> integer (x * y).
Proof. intros [a A] [b B]. exists (a * b)%Z. rewrite mult_IZR. congruence. Qed.
Lemma integer_negative x : integer x -> integer (- x).
Proof. intros [a A]. exists (- a)%Z. rewrite opp_IZR. congruence. Qed.
Lemma integer_down x : integer (rounded_down x).
Proof. apply integer_number. Qed.
Lemma integer_up x : integer (rounded_up x).
Proof. apply integer_negative, integer_down. Qed.
Lemma integer_split x (z : Z) : integer x -> x <= IZR z \/ IZR (z + 1) <= x.
Proof. intros [a A]. subst x. destruct (Z_le_gt_dec a z); [left | right]; apply IZR_le; lia. Qed.
Lemma integer_above x : integer x -> 0 < x + 1 -> 0 <= x.
Proof.
  intros [a A] H. subst x. rewrite <- plus_IZR in H. apply (lt_IZR 0) in H. apply (IZR_le 0). lia.
Qed.
Lemma rounded_down_between x : 0 <= x - rounded_down x < 1.
Proof. unfold rounded_down. destruct (base_Int_part x). lra. Qed.
Lemma rounded_up_between x : 0 <= rounded_up x - x < 1.
Proof. unfold rounded_up. destruct (rounded_down_between (- x)). lra. Qed.

(* Rules *)

Lemma at_most a b : 0 <= b - a -> a <= b. Proof. lra. Qed.
Lemma below a b : 0 < b - a -> a < b. Proof. lra. Qed.
Lemma at_least a b : 0 <= a - b -> a >= b. Proof. lra. Qed.
Lemma above a b : 0 < a - b -> a > b. Proof. lra. Qed.
Lemma both_ways a b : 0 <= b - a -> 0 <= - (b - a) -> a = b. Proof. lra. Qed.
Lemma not_zero_above a : 0 < a -> a <> 0. Proof. lra. Qed.
Lemma not_zero_below a : 0 < - a -> a <> 0. Proof. lra. Qed.
Lemma weaker a : 0 < a -> 0 <= a. Proof. lra. Qed.
Lemma zero_at_least f : f = 0 -> 0 <= f. Proof. lra. Qed.
Lemma equal_at_least f g : f = g -> 0 <= g -> 0 <= f. Proof. lra. Qed.
Lemma equal_above f g : f = g -> 0 < g -> 0 < f. Proof. lra. Qed.
Lemma scale_at_least f h g : f * h = g -> 0 < h -> 0 <= g -> 0 <= f.
Proof. intros E H G. subst g. destruct (Rle_or_lt 0 f) as [|N]; [assumption|]. exfalso.
  assert (0 < (- f) * h) by (apply Rmult_lt_0_compat; lra). lra. Qed.
Lemma scale_above f h g : f * h = g -> 0 < h -> 0 < g -> 0 < f.
Proof. intros E H G. destruct (Rlt_or_le 0 f) as [|N]; [assumption|]. exfalso.
  assert (0 <= (- f) * h) by (apply Rmult_le_pos; lra). lra. Qed.
Lemma product_at_least f h g : f = h * g -> 0 < h -> 0 <= g -> 0 <= f.
Proof. intros. subst f. apply Rmult_le_pos; lra. Qed.
Lemma product_above f h g : f = h * g -> 0 < h -> 0 < g -> 0 < f.
Proof. intros. subst f. apply Rmult_lt_0_compat; lra. Qed.
Lemma square_at_least f p q : f = p - q -> 0 <= p -> 0 <= p ^ 2 - q ^ 2 -> 0 <= f.
Proof. intros E P Q. destruct (Rle_or_lt q p); [lra | nra]. Qed.
Lemma square_above f p q : f = p - q -> 0 <= p -> 0 < p ^ 2 - q ^ 2 -> 0 < f.
Proof. intros E P Q. destruct (Rlt_or_le q p); [lra | nra]. Qed.
Lemma logarithm_at_least f a b l m :
  f = a - b -> 0 < a -> ln a = l -> 0 < b -> ln b = m -> 0 <= l - m -> 0 <= f.
Proof.
  intros E A L B M H. subst. destruct (Rle_or_lt b a) as [|N]; [lra|]. exfalso.
  assert (ln a < ln b) by (apply ln_increasing; assumption). lra.
Qed.
Lemma logarithm_above f a b l m :
  f = a - b -> 0 < a -> ln a = l -> 0 < b -> ln b = m -> 0 < l - m -> 0 < f.
Proof.
  intros E A L B M H. subst. destruct (Rlt_or_le b a) as [|N]; [lra|]. exfalso.
  destruct N as [N | N]; [assert (ln a < ln b) by (apply ln_increasing; assumption) | subst b]; lra.
Qed.

(* Sums and products of what is at least, or above, 0 *)

Lemma plus_left a b : 0 < a -> 0 <= b -> 0 < a + b. Proof. lra. Qed.
Lemma minus_left a b : 0 < a -> b <= 0 -> 0 < a - b. Proof. lra. Qed.
Lemma minus_right a b : 0 <= a -> b < 0 -> 0 < a - b. Proof. lra. Qed.
Lemma minus_at_least a b : 0 <= a -> b <= 0 -> 0 <= a - b. Proof. lra. Qed.
Lemma plus_at_most a b : a <= 0 -> b <= 0 -> a + b <= 0. Proof. lra. Qed.
Lemma plus_below a b : a < 0 -> b < 0 -> a + b < 0. Proof. lra. Qed.
Lemma negative_above a : a < 0 -> 0 < - a. Proof. lra. Qed.
Lemma negative_below a : 0 < a -> - a < 0. Proof. lra. Qed.
Lemma negative_at_least a : a <= 0 -> 0 <= - a. Proof. lra. Qed.
Lemma negative_at_most a : 0 <= a -> - a <= 0. Proof. lra. Qed.
Lemma times_below a b : a < 0 -> b < 0 -> 0 < a * b. Proof. intros. nra. Qed.
Lemma times_at_most a b : a <= 0 -> b <= 0 -> 0 <= a * b. Proof. intros. nra. Qed.
Lemma first_below a b : a < 0 -> 0 < b -> a * b < 0. Proof. intros. nra. Qed.
Lemma second_below a b : 0 < a -> b < 0 -> a * b < 0. Proof. intros. nra. Qed.
Lemma first_at_most a b : a <= 0 -> 0 <= b -> a * b <= 0. Proof. intros. nra. Qed.
Lemma second_at_most a b : 0 <= a -> b <= 0 -> a * b <= 0. Proof. intros. nra. Qed.
Lemma over_at_least a b : 0 <= a -> 0 < b -> 0 <= a / b. Proof. intros. apply Rdiv_le_0_compat; assumption. Qed.
Lemma over_below a b : a < 0 -> 0 < b -> a / b < 0.
Proof. intros. apply first_below; [assumption | apply Rinv_0_lt_compat; assumption]. Qed.
Lemma over_at_most a b : a <= 0 -> 0 < b -> a / b <= 0.
Proof. intros. apply first_at_most; [assumption | apply weaker, Rinv_0_lt_compat; assumption]. Qed.
Lemma over_both_below a b : a < 0 -> b < 0 -> 0 < a / b.
Proof. intros. apply times_below; [assumption | apply Rinv_lt_0_compat; assumption]. Qed.
Lemma over_both_at_most a b : a <= 0 -> b < 0 -> 0 <= a / b.
Proof. intros. apply times_at_most; [assumption | apply Rlt_le, Rinv_lt_0_compat; assumption]. Qed.
Lemma over_second_below a b : 0 < a -> b < 0 -> a / b < 0.
Proof. intros. apply second_below; [assumption | apply Rinv_lt_0_compat; assumption]. Qed.
Lemma over_second_at_most a b : 0 <= a -> b < 0 -> a / b <= 0.
Proof. intros. apply second_at_most; [assumption | apply Rlt_le, Rinv_lt_0_compat; assumption]. Qed.
Lemma plus_right a b : 0 <= a -> 0 < b -> 0 < a + b. Proof. lra. Qed.

(* Values of functions *)

Lemma max_first a b : 0 <= a - b -> Rmax a b = a. Proof. intros. apply Rmax_left. lra. Qed.
Lemma max_second a b : 0 <= b - a -> Rmax a b = b. Proof. intros. apply Rmax_right. lra. Qed.
Lemma min_first a b : 0 <= b - a -> Rmin a b = a. Proof. intros. apply Rmin_left. lra. Qed.
Lemma min_second a b : 0 <= a - b -> Rmin a b = b. Proof. intros. apply Rmin_right. lra. Qed.
Lemma abs_first a : 0 <= a -> Rabs a = a. Proof. intros. apply Rabs_pos_eq. lra. Qed.
Lemma abs_second a : 0 <= - a -> Rabs a = - a. Proof. intros. apply Rabs_left1. lra. Qed.
Lemma max_above_first a b : 0 < a -> 0 < Rmax a b. Proof. pose proof (Rmax_l a b). lra. Qed.
Lemma max_above_second a b : 0 < b -> 0 < Rmax a b. Proof. pose proof (Rmax_r a b). lra. Qed.
Lemma max_least_first a b : 0 <= a -> 0 <= Rmax a b. Proof. pose proof (Rmax_l a b). lra. Qed.
Lemma max_least_second a b : 0 <= b -> 0 <= Rmax a b. Proof. pose proof (Rmax_r a b). lra. Qed.
Lemma up_above a : 0 < a -> 0 < rounded_up a. Proof. destruct (rounded_up_between a). lra. Qed.
Lemma up_at_least a : 0 <= a -> 0 <= rounded_up a. Proof. destruct (rounded_up_between a). lra. Qed.
Lemma down_at_least a : 0 <= a -> 0 <= rounded_down a.
Proof.
  intros H. destruct (rounded_down_between a). apply integer_above; [apply integer_down | lra].
Qed.
Lemma down_value a z : 0 <= a - IZR z -> 0 < IZR z + 1 - a -> rounded_down a = IZR z.
Proof.
  intros L H. destruct (rounded_down_between a) as [D1 D2]. unfold rounded_down in *. apply f_equal.
  assert (A : IZR (Int_part a) < IZR (z + 1)) by (rewrite plus_IZR; lra).
  assert (B : IZR z < IZR (Int_part a + 1)) by (rewrite plus_IZR; lra).
  apply lt_IZR in A. apply lt_IZR in B. lia.
Qed.
Lemma up_value a z : 0 <= IZR z - a -> 0 < a - IZR z + 1 -> rounded_up a = IZR z.
Proof.
  intros L H. unfold rounded_up. rewrite (down_value (- a) (- z)); rewrite opp_IZR; lra.
Qed.
Lemma rounded_down_rest a : exists t, 0 <= t < 1 /\ rounded_down a = a - t.
Proof. exists (a - rounded_down a). destruct (rounded_down_between a). split; lra. Qed.
Lemma rounded_up_rest a : exists t, 0 <= t < 1 /\ rounded_up a = a + t.
Proof. exists (rounded_up a - a). destruct (rounded_up_between a). split; lra. Qed.

Lemma exp_natural (n : nat) x : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n I]; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, <- tech_pow_Rmult, <- I, <- exp_plus. f_equal. ring.
Qed.
Lemma exp_multiple (n : nat) c x g : c = INR n -> g = exp x -> exp (c * x) = g ^ n.
Proof. intros. subst. apply exp_natural. Qed.
Lemma exp_minus_multiple (n : nat) c x g : c = INR n -> g = exp x -> exp (- c * x) = / g ^ n.
Proof. intros. subst. rewrite <- exp_natural, <- exp_Ropp. f_equal. ring. Qed.
Lemma exp_log_multiple (n : nat) c u : c = INR n -> 0 < u -> exp (c * ln u) = u ^ n.
Proof. intros. subst. rewrite exp_natural, exp_ln; auto. Qed.
Lemma exp_minus_log_multiple (n : nat) c u : c = INR n -> 0 < u -> exp (- c * ln u) = / u ^ n.
Proof. intros. subst. rewrite <- (exp_log_multiple n _ u eq_refl), <- exp_Ropp by assumption. f_equal. ring. Qed.
Lemma exp_root (n : nat) c k u g : c = INR n -> c <> 0 -> g = exp (k / c) -> k = ln u -> 0 < u -> g ^ n = u.
Proof.
  intros C N G K U. subst. rewrite <- exp_natural. transitivity (exp (ln u)); [f_equal; field; assumption|].
  apply exp_ln. assumption.
Qed.
Lemma ln_power b a l : ln a = l -> ln (exp (b * ln a)) = b * l.
Proof. intros. subst. apply ln_exp. Qed.
Lemma exp_equal x y z : x = y -> exp y = z -> exp x = z. Proof. congruence. Qed.
Lemma exp_sum x y a b : exp x = a -> exp y = b -> exp (x + y) = a * b.
Proof. intros. subst. apply exp_plus. Qed.

Lemma ln_times a b l m : 0 < a -> 0 < b -> ln a = l -> ln b = m -> ln (a * b) = l + m.
Proof. intros. subst. apply ln_mult; assumption. Qed.
Lemma ln_over a b l m : 0 < a -> 0 < b -> ln a = l -> ln b = m -> ln (a / b) = l - m.
Proof.
  intros. subst. unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring|].
  apply Rinv_0_lt_compat. assumption.
Qed.
Lemma ln_natural (n : nat) a l : 0 < a -> ln a = l -> ln (a ^ n) = INR n * l.
Proof. intros. subst. apply ln_pow. assumption. Qed.
Lemma ln_raised (n : nat) c a l : c = INR n -> 0 < a -> ln a = l -> ln (a ^ n) = c * l.
Proof. intros. subst. apply ln_pow. assumption. Qed.
Lemma ln_inverse_raised (n : nat) c a l : c = INR n -> 0 < a -> ln a = l -> ln (/ a ^ n) = - c * l.
Proof.
  intros. subst. rewrite ln_Rinv, ln_pow; try assumption; [ring|]. apply pow_lt. assumption.
Qed.
Lemma ln_root a l : 0 < a -> ln a = l -> ln (sqrt a) = l / 2.
Proof.
  intros H E. subst. rewrite <- (sqrt_sqrt a) at 2 by lra.
  rewrite ln_mult; try (apply sqrt_lt_R0; assumption). lra.
Qed.
Lemma ln_above x : 1 < x -> 0 < ln x.
Proof. intros. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln_at_least x : 1 <= x -> 0 <= ln x.
Proof. intros [H | H]; [apply weaker, ln_above; assumption | subst; rewrite ln_1; lra]. Qed.
Lemma quotient_above a b c : 0 < c -> a * c < b -> a < b / c.
Proof. intros C H. apply (Rmult_lt_reg_r c); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma quotient_at_least a b c : 0 < c -> a * c <= b -> a <= b / c.
Proof. intros C H. apply (Rmult_le_reg_r c); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma ln_below x : 0 < x -> x < 1 -> ln x < 0.
Proof. intros. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma quotient_below a b c : 0 < c -> b < a * c -> b / c < a.
Proof. intros C H. apply (Rmult_lt_reg_r c); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma quotient_at_most a b c : 0 < c -> b <= a * c -> b / c <= a.
Proof. intros C H. apply (Rmult_le_reg_r c); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma ln_at_most x : x <= 1 -> ln x <= 0.
Proof.
  intros L. destruct (Rlt_or_le 0 x) as [H | H].
  - destruct L as [L | L]; [apply Rlt_le, ln_below; assumption | subst; rewrite ln_1; lra].
  - unfold ln. destruct (Rlt_dec 0 x); [exfalso | idtac]; lra.
Qed.
Lemma exp_over_one x : 0 < x -> 1 < exp x.
Proof. intros. rewrite <- exp_0. apply exp_increasing. assumption. Qed.
Lemma exp_at_least_one x : 0 <= x -> 1 <= exp x.
Proof. intros [H | H]; [apply Rlt_le, exp_over_one; assumption | rewrite <- H, exp_0; lra]. Qed.
Lemma ln_bigger c x : exp c < x -> c < ln x.
Proof. intros H. rewrite <- (ln_exp c). apply ln_increasing; [apply exp_pos | assumption]. Qed.
Lemma ln_as_big c x : exp c <= x -> c <= ln x.
Proof. intros [H | H]; [apply Rlt_le, ln_bigger; assumption | rewrite <- H, ln_exp; lra]. Qed.
Lemma difference_above a b : b < a -> 0 < a - b. Proof. lra. Qed.
Lemma difference_at_least a b : b <= a -> 0 <= a - b. Proof. lra. Qed.
Lemma max_as_big a b c : c <= a \/ c <= b -> c <= Rmax a b.
Proof. pose proof (Rmax_l a b). pose proof (Rmax_r a b). intros [H1 | H1]; lra. Qed.
Lemma ln_rises x u : 0 < x -> x <= u -> ln x <= ln u.
Proof. intros H [L | L]; [apply Rlt_le, ln_increasing; assumption | subst; lra]. Qed.
Lemma ln_equal x y z : x = y -> ln y = z -> ln x = z. Proof. congruence. Qed.
Lemma cofactor_above p q r : r = p * q -> 0 < p -> 0 < r -> 0 < q.
Proof.
  intros. subst. destruct (Rlt_or_le 0 q); [assumption|]. exfalso.
  assert (0 <= p * - q) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma sqrt_outside s u x : 0 <= s -> x = s * s * u -> sqrt x = s * sqrt u.
Proof.
  intros H E. subst x. destruct (Rle_or_lt 0 u) as [U | U].
  - rewrite sqrt_mult; try assumption; [|apply Rmult_le_pos; assumption]. rewrite sqrt_square; auto.
  - rewrite (sqrt_neg_0 u) by lra. rewrite Rmult_0_r. apply sqrt_neg_0.
    assert (0 <= s * s * - u) by (apply Rmult_le_pos; [apply Rmult_le_pos; assumption | lra]). lra.
Qed.
Lemma sqrt_number s x : 0 <= s -> x = s * s -> sqrt x = s.
Proof. intros. subst. apply sqrt_square. assumption. Qed.

(* A function that rises (falls) from an end on is there at least (at most) what it is at the end. *)

Lemma mean_value (f g : R -> R) a b : a < b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  exists c, a < c < b /\ f b - f a = g c * (b - a).
Proof.
  intros L C D.
  pose (first := fun c (H : a < c < b) => exist (derivable_pt_abs f c) (g c) (proj1 (is_derive_Reals f c (g c)) (D c H))).
  pose (second := fun c (_ : a < c < b) => derivable_pt_id c).
  destruct (MVT f id a b first second L C) as [c [P E]].
  - intros c H. apply derivable_continuous_pt, derivable_pt_id.
  - exists c. split; [assumption|]. unfold second in E. rewrite derive_pt_id in E. simpl in E. unfold id in E. lra.
Qed.
Lemma rises (f g : R -> R) a b : a <= b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= g c) -> f a <= f b.
Proof.
  intros L C D G. destruct (Req_dec a b) as [E | N]; [subst; lra|].
  destruct (mean_value f g a b) as [c [P E]]; auto; [lra|].
  assert (0 <= g c * (b - a)) by (apply Rmult_le_pos; [apply G; assumption | lra]). lra.
Qed.
Lemma rises_strictly (f g : R -> R) a b : a < b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 < g c) -> f a < f b.
Proof.
  intros L C D G. destruct (mean_value f g a b) as [c [P E]]; auto.
  assert (0 < g c * (b - a)) by (apply Rmult_lt_0_compat; [apply G; assumption | lra]). lra.
Qed.
Lemma falls (f g : R -> R) a b : a <= b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= - g c) -> f b <= f a.
Proof.
  intros L C D G. destruct (Req_dec a b) as [E | N]; [subst; lra|].
  destruct (mean_value f g a b) as [c [P E]]; auto; [lra|].
  assert (0 <= - g c * (b - a)) by (apply Rmult_le_pos; [apply G; assumption | lra]). lra.
Qed.
Lemma falls_strictly (f g : R -> R) a b : a < b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 < - g c) -> f b < f a.
Proof.
  intros L C D G. destruct (mean_value f g a b) as [c [P E]]; auto.
  assert (0 < - g c * (b - a)) by (apply Rmult_lt_0_compat; [apply G; assumption | lra]). lra.
Qed.

Lemma rises_from (f g : R -> R) a b : a <= b -> 0 <= f a ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= g c) -> 0 <= f b.
Proof. intros. assert (f a <= f b) by (apply (rises f g); assumption). lra. Qed.
Lemma rises_from_above (f g : R -> R) a b : a <= b -> 0 < f a ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= g c) -> 0 < f b.
Proof. intros. assert (f a <= f b) by (apply (rises f g); assumption). lra. Qed.
Lemma rises_from_strictly (f g : R -> R) a b : a < b -> 0 <= f a ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 < g c) -> 0 < f b.
Proof. intros. assert (f a < f b) by (apply (rises_strictly f g); assumption). lra. Qed.
Lemma falls_to (f g : R -> R) b a : a <= b -> 0 <= f b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= - g c) -> 0 <= f a.
Proof. intros. assert (f b <= f a) by (apply (falls f g); assumption). lra. Qed.
Lemma falls_to_above (f g : R -> R) b a : a <= b -> 0 < f b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= - g c) -> 0 < f a.
Proof. intros. assert (f b <= f a) by (apply (falls f g); assumption). lra. Qed.
Lemma falls_to_strictly (f g : R -> R) b a : a < b -> 0 <= f b ->
  (forall c, a <= c <= b -> continuity_pt f c) -> (forall c, a < c < b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 < - g c) -> 0 < f a.
Proof. intros. assert (f b < f a) by (apply (falls_strictly f g); assumption). lra. Qed.

(* Continuity, part by part; the root of what is below 0 is 0 here, so that roots are continuous everywhere. *)

Lemma continuous_sqrt x : continuity_pt sqrt x.
Proof.
  destruct (Rle_or_lt 0 x) as [H | H]; [apply continuity_pt_sqrt; assumption|].
  intros e E. exists (- x). split; [lra|]. intros y [_ Y]. simpl in *. unfold R_dist in *.
  assert (y < 0) by (apply Rabs_def2 in Y; lra). rewrite !sqrt_neg_0 by lra. rewrite Rminus_diag_eq, Rabs_R0; lra.
Qed.
Lemma continuous_ln x : 0 < x -> continuity_pt ln x.
Proof. intros H. apply derivable_continuous_pt. exists (/ x). apply derivable_pt_lim_ln. assumption. Qed.
Lemma continuous_exp x : continuity_pt exp x.
Proof. apply derivable_continuous_pt, derivable_pt_exp. Qed.
Lemma continuous_pow n x : continuity_pt (fun y => y ^ n) x.
Proof. apply derivable_continuous_pt, derivable_pt_pow. Qed.
Lemma continuous_after (f g : R -> R) x :
  continuity_pt g x -> continuity_pt f (g x) -> continuity_pt (fun y => f (g y)) x.
Proof. intros G F. exact (continuity_pt_comp g f x G F). Qed.
Lemma continuous_power (f : R -> R) n x : continuity_pt f x -> continuity_pt (fun y => f y ^ n) x.
Proof. intros F. apply (continuous_after (fun z => z ^ n) f); [assumption | apply continuous_pow]. Qed.
Lemma continuous_over (f g : R -> R) x :
  continuity_pt f x -> continuity_pt g x -> g x <> 0 -> continuity_pt (fun y => f y / g y) x.
Proof. intros F G N. exact (continuity_pt_div f g x F G N). Qed.
Lemma continuous_inverse (g : R -> R) x : continuity_pt g x -> g x <> 0 -> continuity_pt (fun y => / g y) x.
Proof. intros G N. exact (continuity_pt_inv g x G N). Qed.
Lemma continuous_plus (f g : R -> R) x : continuity_pt f x -> continuity_pt g x -> continuity_pt (fun y => f y + g y) x.
Proof. exact (continuity_pt_plus f g x). Qed.
Lemma continuous_minus (f g : R -> R) x : continuity_pt f x -> continuity_pt g x -> continuity_pt (fun y => f y - g y) x.
Proof. exact (continuity_pt_minus f g x). Qed.
Lemma continuous_times (f g : R -> R) x : continuity_pt f x -> continuity_pt g x -> continuity_pt (fun y => f y * g y) x.
Proof. exact (continuity_pt_mult f g x). Qed.
Lemma continuous_negative (f : R -> R) x : continuity_pt f x -> continuity_pt (fun y => - f y) x.
Proof. exact (continuity_pt_opp f x). Qed.
Lemma continuous_same x : continuity_pt (fun y => y) x.
Proof. apply derivable_continuous_pt, derivable_pt_id. Qed.
Lemma continuous_constant (a x : R) : continuity_pt (fun _ => a) x.
Proof. apply continuity_pt_const. intros y z. reflexivity. Qed.

(* Tactics *)

(* The sign of a term, part by part. *)
Ltac sign :=
  match goal with
  | |- _ => assumption
  | |- _ => lra
  | |- 0 < exp _ => apply exp_pos
  | |- 0 <= exp _ => apply weaker, exp_pos
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 < sqrt _ => apply sqrt_lt_R0; sign
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; sign
  | |- 0 <= ?a * ?a => apply Rle_0_sqr
  | |- 0 <= _ * _ => apply Rmult_le_pos; sign
  | |- 0 < _ * _ => apply times_below; sign
  | |- 0 <= _ * _ => apply times_at_most; sign
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; sign
  | |- 0 <= _ / _ => apply over_at_least; sign
  | |- 0 < _ / _ => apply over_both_below; sign
  | |- 0 <= _ / _ => apply over_both_at_most; sign
  | |- 0 < / _ => apply Rinv_0_lt_compat; sign
  | |- 0 <= / _ => apply weaker, Rinv_0_lt_compat; sign
  | |- 0 < _ ^ _ => apply pow_lt; sign
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; sign
  | |- 0 < _ + _ => apply plus_left; sign
  | |- 0 < _ + _ => apply plus_right; sign
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; sign
  | |- 0 < ln _ - _ => apply difference_above; bigger
  | |- 0 <= ln _ - _ => apply difference_at_least; bigger
  | |- 0 < _ / _ - _ => apply difference_above; bigger
  | |- 0 <= _ / _ - _ => apply difference_at_least; bigger
  | |- 0 <= Rmax _ _ - _ => apply difference_at_least; bigger
  | |- 0 < exp _ - _ => apply difference_above; bigger
  | |- 0 <= exp _ - _ => apply difference_at_least; bigger
  | |- 0 <= _ ^ _ - _ => apply difference_at_least; bigger
  | |- 0 < _ - _ => apply minus_left; sign
  | |- 0 < _ - _ => apply minus_right; sign
  | |- 0 <= _ - _ => apply minus_at_least; sign
  | |- 0 < - _ => apply negative_above; sign
  | |- 0 <= - _ => apply negative_at_least; sign
  | |- 0 < Rmax _ _ => first [ apply max_above_first; sign | apply max_above_second; sign ]
  | |- 0 <= Rmax _ _ => first [ apply max_least_first; sign | apply max_least_second; sign ]
  | |- 0 < Rmin _ _ => apply Rmin_glb_lt; sign
  | |- 0 <= Rmin _ _ => apply Rmin_glb; sign
  | |- 0 < rounded_up _ => apply up_above; sign
  | |- 0 <= rounded_up _ => apply up_at_least; sign
  | |- 0 <= rounded_down _ => apply down_at_least; sign
  | |- 0 < ln _ => apply ln_above; bigger
  | |- 0 <= ln _ => apply ln_at_least; bigger
  | |- _ * _ < 0 => first [ apply first_below; sign | apply second_below; sign ]
  | |- _ * _ <= 0 => first [ apply first_at_most; sign | apply second_at_most; sign ]
  | |- _ / _ < 0 => apply over_below; sign
  | |- _ / _ <= 0 => apply over_at_most; sign
  | |- _ / _ < 0 => apply over_second_below; sign
  | |- _ / _ <= 0 => apply over_second_at_most; sign
  | |- - _ < 0 => apply negative_below; sign
  | |- - _ <= 0 => apply negative_at_most; sign
  | |- ln _ < 0 => apply ln_below; [sign | bigger]
  | |- ln _ <= 0 => apply ln_at_most; bigger
  | |- _ + _ <= 0 => apply plus_at_most; sign
  | |- _ + _ < 0 => apply plus_below; sign
  | |- _ <= 0 => apply Rlt_le; sign
  | |- 0 <= _ => apply weaker; sign
  end
with bigger :=
  match goal with
  | |- _ => assumption
  | |- _ => lra
  | |- _ < _ / _ => apply quotient_above; [sign | bigger]
  | |- _ <= _ / _ => apply quotient_at_least; [sign | bigger]
  | |- _ / _ < _ => apply quotient_below; [sign | bigger]
  | |- _ / _ <= _ => apply quotient_at_most; [sign | bigger]
  | |- 0 < _ => sign
  | |- 0 <= _ => sign
  | |- 1 <= _ ^ _ => apply pow_R1_Rle; bigger
  | |- _ < ln _ => apply ln_bigger; bigger
  | |- _ <= ln _ => apply ln_as_big; bigger
  | |- _ <= Rmax _ _ => apply max_as_big; first [ left; bigger | right; bigger ]
  | |- 1 < exp _ => apply exp_over_one; sign
  | |- 1 <= exp _ => apply exp_at_least_one; sign
  | |- _ < _ => apply below; interval with (i_prec 60)
  | |- _ <= _ => apply at_most; interval with (i_prec 60)
  | |- _ => timeout 2 nra
  end.

(* A value on a box. *)
Ltac constant := first [ lra | interval with (i_prec 60) | interval with (i_prec 120) | sign | interval with (i_prec 400) ].
Ltac leaf := first [ sign | interval with (i_prec 60) | interval with (i_prec 120) | timeout 5 nra ].

(* A logarithm on a box: what it is between, and then no more of it. *)
Ltac at_most_of x u := let F := fresh "F" in assert (F : ln x <= ln u) by (apply ln_rises; [ sign | bigger ]).
Ltac at_least_of x u := let F := fresh "F" in assert (F : ln u <= ln x) by (apply ln_rises; [ lra | bigger ]).
Ltac forget x := let L := fresh "L" in set (L := ln x) in *; clearbody L.

(* What a step needs to be defined. *)
Ltac not_zero :=
  lazymatch goal with
  | |- ?a * ?b <> 0 => apply Rmult_integral_contrapositive_currified; not_zero
  | |- ?a ^ ?n <> 0 => apply pow_nonzero; not_zero
  | |- - ?a <> 0 => apply Ropp_neq_0_compat; not_zero
  | |- / ?a <> 0 => apply Rinv_neq_0_compat; not_zero
  | |- ?a <> 0 =>
      first [ assumption | lra | apply not_zero_above; leaf | apply not_zero_below; leaf
            | match goal with N : ?b <> 0 |- _ => let Z := fresh "Z" in intro Z; apply N; first [ rewrite Z; ring | lra | nra ] end ]
  end.
Ltac known :=
  repeat match goal with |- _ /\ _ => split end;
  lazymatch goal with
  | |- _ \/ _ => left; leaf
  | |- _ <> 0 => not_zero
  | |- integer _ => whole
  | |- _ => leaf
  end
with whole :=
  lazymatch goal with
  | |- integer (IZR _) => apply integer_number
  | |- integer (_ + _) => apply integer_plus; whole
  | |- integer (_ - _) => apply integer_minus; whole
  | |- integer (_ * _) => apply integer_times; whole
  | |- integer (- _) => apply integer_negative; whole
  | |- integer (rounded_down _) => apply integer_down
  | |- integer (rounded_up _) => apply integer_up
  | |- _ => assumption
  end.
Ltac continuous :=
  cbv beta;
  lazymatch goal with
  | |- continuity_pt (fun _ => ?a) _ => apply continuous_constant
  | |- continuity_pt (fun y => y) _ => apply continuous_same
  | |- continuity_pt (fun y => @?f y + @?g y) ?x => apply (continuous_plus f g x); continuous
  | |- continuity_pt (fun y => @?f y - @?g y) ?x => apply (continuous_minus f g x); continuous
  | |- continuity_pt (fun y => @?f y * @?g y) ?x => apply (continuous_times f g x); continuous
  | |- continuity_pt (fun y => @?f y / @?g y) ?x => apply (continuous_over f g x); [continuous | continuous | cbv beta; known]
  | |- continuity_pt (fun y => / @?g y) ?x => apply (continuous_inverse g x); [continuous | cbv beta; known]
  | |- continuity_pt (fun y => - @?f y) ?x => apply (continuous_negative f x); continuous
  | |- continuity_pt (fun y => exp (@?f y)) ?x => apply (continuous_after exp f x); [continuous | apply continuous_exp]
  | |- continuity_pt (fun y => ln (@?f y)) ?x => apply (continuous_after ln f x); [continuous | apply continuous_ln; cbv beta; known]
  | |- continuity_pt (fun y => sqrt (@?f y)) ?x => apply (continuous_after sqrt f x); [continuous | apply continuous_sqrt]
  | |- continuity_pt (fun y => (@?f y) ^ ?n) ?x => apply (continuous_power f n x); continuous
  end.
Ltac same := first [ reflexivity | ring | field; known | field_simplify_eq; [ring | known ..] ].
Ltac derive := auto_derive; [ known | same ].
Ltac natural := rewrite INR_IZR_INZ; reflexivity.
Lemma Rle_or_le x y : x <= y \/ y <= x. Proof. lra. Qed.
(* A lemma at a point: its premises are known, and of what it says the last part is wanted. *)
Ltac instance known_theorem :=
  let G := fresh "G" in
  pose proof known_theorem as G;
  repeat match type of G with
         | ?A -> _ => let X := fresh "X" in assert (X : A) by first [ known | lra ]; specialize (G X); clear X
         | _ /\ _ => destruct G as [_ G]
         end;
  lra.
(* What is false at a point: its premises hold there, one after the other, and then something fails. *)
Ltac at_point :=
  first [ exact I | apply integer_number | apply integer_negative, integer_number | constant | known
        | apply Rle_ge; constant | apply Rlt_gt; constant ].
Ltac fails_here H :=
  match type of H with
  | ?a <= ?b => apply (Rlt_irrefl b), (Rlt_le_trans b a b); [apply below; constant | exact H]
  | ?a < ?b => apply (Rlt_irrefl a), (Rlt_le_trans a b a); [exact H | apply at_most; constant]
  | ?a >= ?b => apply (Rlt_irrefl b), (Rle_lt_trans b a b); [apply Rge_le; exact H | apply below; constant]
  | ?a > ?b => apply (Rlt_irrefl b), (Rlt_le_trans b a b); [exact H | apply at_most; constant]
  | ?a = ?b => first [ apply (Rlt_not_eq a b); [apply below; constant | exact H]
                     | apply (Rgt_not_eq a b); [apply below; constant | exact H] ]
  | ?a <> ?b => apply H; first [ lra | field ]
  end.
Ltac contradicted H :=
  rewrite ?power_above in H by constant;
  lazymatch type of H with
  | ?A /\ ?B => let F := fresh "F" in destruct H as [F H]; first [ contradicted F | contradicted H ]
  | ?a <> ?b => fails_here H
  | ?A -> ?B => let X := fresh "X" in assert (X : A) by (repeat split; at_point); specialize (H X); clear X; contradicted H
  | _ => fails_here H
  end.
