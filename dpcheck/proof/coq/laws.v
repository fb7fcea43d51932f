(* What the exported derivations rest on: laws and finite sets, averages, sums, largest values, events, and a lemma for
   each rule. Everything here is proved; there is no axiom of ours. *)
From Coq Require Import Reals Lra Psatz ZArith Lia List.
From Dpcheck Require Import prelude.
Open Scope R_scope.

(* The meaning of objects *)

(* The sum of a function over listed points, each with a weight. *)
Definition over {A : Type} (listed : list (R * A)) (f : A -> R) : R :=
  fold_right (fun each rest => fst each * f (snd each) + rest) 0 listed.
(* A law: points of which finitely many are listed, with weights of at least 0 that add up to 1. *)
Record law := { point_of :> Type; weighted : list (R * point_of);
  weights_at_least : forall each, In each weighted -> 0 <= fst each; weights_one : over weighted (fun _ => 1) = 1 }.
(* A finite set: all of its members are listed, and there is one. *)
Record finite := { member_of :> Type; first : member_of; others : list member_of;
  all_listed : forall x, In x (first :: others) }.
Definition listed (H : finite) : list (R * H) := map (fun x => (1, x)) (first H :: others H).
Notation mean mu f := (over (weighted mu) f).
Notation total H f := (over (listed H) f).
Notation size H := (over (listed H) (fun _ => 1)).
Definition largest (H : finite) (f : H -> R) : R :=
  fold_right (fun x rest => Rmax (f x) rest) (f (first H)) (others H).
Definition smallest (H : finite) (f : H -> R) : R := - largest H (fun x => - f x).
(* An event, as a number: 1 where a <= b, else 0. *)
Definition is_at_most (a b : R) : R := if Rle_dec a b then 1 else 0.

(* Sums *)

Lemma over_ext {A} (l : list (R * A)) f g : (forall x, f x = g x) -> over l f = over l g.
Proof. intros E. induction l as [|p l IH]; simpl; [reflexivity|]. rewrite E, IH. reflexivity. Qed.
Lemma over_plus {A} (l : list (R * A)) f g : over l (fun x => f x + g x) = over l f + over l g.
Proof. induction l as [|p l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma over_scale {A} (l : list (R * A)) c f : over l (fun x => c * f x) = c * over l f.
Proof. induction l as [|p l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma over_zero {A} (l : list (R * A)) : over l (fun _ => 0) = 0.
Proof. induction l as [|p l IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.
Lemma over_more {A} (l : list (R * A)) c m r : over l (fun x => c * m x + r x) = c * over l m + over l r.
Proof. rewrite over_plus, over_scale. reflexivity. Qed.
Lemma over_swap {A B} (l : list (R * A)) (k : list (R * B)) f :
  over l (fun x => over k (fun y => f x y)) = over k (fun y => over l (fun x => f x y)).
Proof.
  induction l as [|p l IH]; simpl; [symmetry; apply over_zero|].
  rewrite IH, over_plus, over_scale. reflexivity.
Qed.
(* What stands beside a sum goes into it. *)
Lemma pull {A} (l : list (R * A)) c f r g :
  (forall x, c * (f x * r) = g x) -> c * (over l f * r) = over l g.
Proof.
  intros E. rewrite <- (over_ext l (fun x => c * (f x * r)) g E).
  rewrite over_scale. f_equal. rewrite Rmult_comm, <- over_scale. apply over_ext. intros. apply Rmult_comm.
Qed.
Lemma pull_mean (mu : law) c r g : (forall x, c * (1 * r) = g x) -> c * (1 * r) = mean mu g.
Proof.
  intros E. rewrite <- (over_ext _ (fun x => (c * (1 * r)) * 1) g); [rewrite over_scale, weights_one; ring|].
  intros x. rewrite <- E. ring.
Qed.
Lemma pull_total (H : finite) n c r g :
  size H = n -> (forall x, c * (1 * r) = g x) -> c * (n * r) = total H g.
Proof.
  intros N E. rewrite <- (over_ext _ (fun x => (c * (1 * r)) * 1) g); [rewrite over_scale, N; ring|].
  intros x. rewrite <- E. ring.
Qed.
Lemma reassociate a b c d : a * b * c = d -> a * (b * c) = d. Proof. intros <-. ring. Qed.

(* Order *)

Lemma sum_at_least {A} (l : list (R * A)) f :
  (forall each, In each l -> 0 <= fst each) -> (forall x, 0 <= f x) -> 0 <= over l f.
Proof.
  intros W F. induction l as [|p l IH]; simpl; [lra|].
  assert (0 <= fst p * f (snd p)) by (apply Rmult_le_pos; [apply W; left; reflexivity | apply F]).
  assert (0 <= over l f) by (apply IH; intros; apply W; right; assumption). lra.
Qed.
Lemma over_minus {A} (l : list (R * A)) f g : over l (fun x => f x - g x) = over l f - over l g.
Proof.
  transitivity (over l (fun x => f x + -1 * g x)); [apply over_ext; intros; ring|].
  rewrite over_plus, over_scale. ring.
Qed.
Lemma mean_number (mu : law) c : mean mu (fun _ => c) = c.
Proof.
  transitivity (mean mu (fun _ => c * 1)); [apply over_ext; intros; ring|]. rewrite over_scale, weights_one. ring.
Qed.
Lemma mean_le (mu : law) f g : (forall x, f x <= g x) -> mean mu f <= mean mu g.
Proof.
  intros E. assert (0 <= mean mu (fun x => g x - f x)).
  { apply sum_at_least; [apply weights_at_least|]. intros x. specialize (E x). lra. }
  rewrite over_minus in H. lra.
Qed.
Lemma sum_above {A} (l : list (R * A)) f :
  (forall each, In each l -> 0 <= fst each) -> (forall x, 0 < f x) -> 0 < over l (fun _ => 1) -> 0 < over l f.
Proof.
  intros W F. induction l as [|p l IH]; simpl; [lra|]. intros S.
  assert (P : 0 <= fst p) by (apply W; left; reflexivity).
  assert (L : 0 <= over l f).
  { apply sum_at_least; [intros; apply W; right; assumption|]. intros x. specialize (F x). lra. }
  destruct P as [P | P].
  - assert (0 < fst p * f (snd p)) by (apply Rmult_lt_0_compat; [assumption | apply F]). lra.
  - assert (0 < over l f); [|rewrite <- P; lra].
    apply IH; [intros; apply W; right; assumption|]. rewrite <- P in S. lra.
Qed.
Lemma mean_lt (mu : law) f g : (forall x, f x < g x) -> mean mu f < mean mu g.
Proof.
  intros E. assert (0 < mean mu (fun x => g x - f x)).
  { apply sum_above; [apply weights_at_least| |rewrite weights_one; lra]. intros x. specialize (E x). lra. }
  rewrite over_minus in H. lra.
Qed.
Lemma mean_least (mu : law) a f : (forall x, a <= f x) -> a <= mean mu f.
Proof. intros E. rewrite <- (mean_number mu a). apply mean_le, E. Qed.
Lemma mean_most (mu : law) a f : (forall x, f x <= a) -> mean mu f <= a.
Proof. intros E. eapply Rle_trans; [apply (mean_le mu f (fun _ => a)), E | rewrite mean_number; lra]. Qed.
Lemma mean_above (mu : law) a f : (forall x, a < f x) -> a < mean mu f.
Proof. intros E. rewrite <- (mean_number mu a). apply mean_lt, E. Qed.
Lemma mean_below (mu : law) a f : (forall x, f x < a) -> mean mu f < a.
Proof. intros E. eapply Rlt_le_trans; [apply (mean_lt mu f (fun _ => a)), E | rewrite mean_number; lra]. Qed.

Lemma listed_weights (H : finite) each : In each (listed H) -> 0 <= fst each.
Proof. intros I. apply in_map_iff in I. destruct I as [x [E _]]. subst each. simpl. lra. Qed.
Lemma listed_above (H : finite) : 0 < size H.
Proof.
  unfold listed. simpl. assert (0 <= over (map (fun x => (1, x)) (others H)) (fun _ => 1)); [|lra].
  apply sum_at_least; [|intros; lra]. intros each I. apply in_map_iff in I. destruct I as [x [E _]]. subst. simpl. lra.
Qed.
Lemma total_le (H : finite) f g : (forall x, f x <= g x) -> total H f <= total H g.
Proof.
  intros E. assert (P : 0 <= total H (fun x => g x - f x)).
  { apply sum_at_least; [apply listed_weights|]. intros x. specialize (E x). lra. }
  rewrite over_minus in P. lra.
Qed.
Lemma total_lt (H : finite) f g : (forall x, f x < g x) -> total H f < total H g.
Proof.
  intros E. assert (P : 0 < total H (fun x => g x - f x)).
  { apply sum_above; [apply listed_weights| |apply listed_above]. intros x. specialize (E x). lra. }
  rewrite over_minus in P. lra.
Qed.
Lemma total_least (H : finite) f : (forall x, 0 <= f x) -> 0 <= total H f.
Proof. intros E. apply sum_at_least; [apply listed_weights | assumption]. Qed.
Lemma total_most (H : finite) f : (forall x, f x <= 0) -> total H f <= 0.
Proof. intros E. rewrite <- (over_zero (listed H)). apply total_le, E. Qed.
Lemma total_above (H : finite) f : (forall x, 0 < f x) -> 0 < total H f.
Proof. intros E. apply sum_above; [apply listed_weights | assumption | apply listed_above]. Qed.
Lemma total_below (H : finite) f : (forall x, f x < 0) -> total H f < 0.
Proof. intros E. rewrite <- (over_zero (listed H)). apply total_lt, E. Qed.
Lemma total_integer (H : finite) f : (forall x, integer (f x)) -> integer (total H f).
Proof.
  intros E. unfold listed. generalize (first H :: others H). intros l.
  induction l as [|x l IH]; simpl; [apply (integer_number 0)|].
  apply integer_plus; [|assumption]. apply integer_times; [apply (integer_number 1) | apply E].
Qed.
Lemma total_each (H : finite) f x : (forall y, 0 <= f y) -> f x <= total H f.
Proof.
  intros P. pose proof (all_listed H x) as I. unfold listed. revert I. generalize (first H :: others H). intros l I.
  induction l as [|y l IH]; simpl in *; [contradiction|].
  assert (S : 0 <= over (map (fun x => (1, x)) l) f).
  { apply sum_at_least; [|assumption]. intros each J. apply in_map_iff in J. destruct J as [z [E _]]. subst. simpl. lra. }
  destruct I as [E | I]; [subst; lra|]. specialize (IH I). specialize (P y). lra.
Qed.

(* Largest and smallest values *)

Lemma largest_each (H : finite) f x : f x <= largest H f.
Proof.
  unfold largest. pose proof (all_listed H x) as I. simpl in I.
  assert (B : forall l, f (first H) <= fold_right (fun x rest => Rmax (f x) rest) (f (first H)) l).
  { induction l as [|y l IH]; simpl; [lra|]. eapply Rle_trans; [apply IH | apply Rmax_r]. }
  destruct I as [E | I]; [subst; apply B|].
  induction (others H) as [|y l IH]; simpl in *; [contradiction|].
  destruct I as [E | I]; [subst; apply Rmax_l|]. eapply Rle_trans; [apply IH, I | apply Rmax_r].
Qed.
Lemma largest_point (H : finite) f : exists x, f x = largest H f.
Proof.
  unfold largest. induction (others H) as [|y l IH]; simpl; [exists (first H); reflexivity|].
  destruct IH as [x E]. unfold Rmax at 1. rewrite <- E.
  destruct (Rle_dec (f y) (f x)); [exists x | exists y]; reflexivity.
Qed.
Lemma largest_ext (H : finite) f g : (forall x, f x = g x) -> largest H f = largest H g.
Proof.
  intros E. unfold largest. rewrite E. induction (others H) as [|y l IH]; simpl; [reflexivity|].
  rewrite E, IH. reflexivity.
Qed.
Lemma smallest_ext (H : finite) f g : (forall x, f x = g x) -> smallest H f = smallest H g.
Proof. intros E. unfold smallest. f_equal. apply largest_ext. intros. rewrite E. reflexivity. Qed.
Lemma largest_le (H : finite) f g : (forall x, f x <= g x) -> largest H f <= largest H g.
Proof.
  intros E. destruct (largest_point H f) as [x X]. rewrite <- X.
  eapply Rle_trans; [apply E | apply largest_each].
Qed.
Lemma largest_lt (H : finite) f g : (forall x, f x < g x) -> largest H f < largest H g.
Proof.
  intros E. destruct (largest_point H f) as [x X]. rewrite <- X.
  eapply Rlt_le_trans; [apply E | apply largest_each].
Qed.
Lemma smallest_le (H : finite) f g : (forall x, f x <= g x) -> smallest H f <= smallest H g.
Proof. intros E. unfold smallest. apply Ropp_le_contravar, largest_le. intros. apply Ropp_le_contravar, E. Qed.
Lemma smallest_lt (H : finite) f g : (forall x, f x < g x) -> smallest H f < smallest H g.
Proof. intros E. unfold smallest. apply Ropp_lt_contravar, largest_lt. intros. apply Ropp_lt_contravar, E. Qed.
Lemma largest_number (H : finite) c : largest H (fun _ => c) = c.
Proof. destruct (largest_point H (fun _ => c)) as [x X]. symmetry. exact X. Qed.
Lemma smallest_number (H : finite) c : smallest H (fun _ => c) = c.
Proof. unfold smallest. rewrite largest_number. ring. Qed.
Lemma largest_plus (H : finite) c f : largest H (fun x => c + f x) = c + largest H f.
Proof.
  apply Rle_antisym.
  - destruct (largest_point H (fun x => c + f x)) as [x X]. rewrite <- X. pose proof (largest_each H f x). lra.
  - destruct (largest_point H f) as [x X]. rewrite <- X. apply (largest_each H (fun x => c + f x) x).
Qed.
Lemma smallest_plus (H : finite) c f : smallest H (fun x => c + - f x) = c - largest H f.
Proof.
  unfold smallest. transitivity (- (- c + largest H f)); [|ring]. f_equal.
  rewrite <- largest_plus. apply largest_ext. intros. ring.
Qed.
Lemma smallest_each (H : finite) f x : smallest H f <= f x.
Proof. unfold smallest. pose proof (largest_each H (fun x => - f x) x). simpl in *. lra. Qed.
Lemma smallest_point (H : finite) f : exists x, f x = smallest H f.
Proof. unfold smallest. destruct (largest_point H (fun x => - f x)) as [x X]. exists x. lra. Qed.
Lemma largest_least (H : finite) a f : (forall x, a <= f x) -> a <= largest H f.
Proof. intros E. eapply Rle_trans; [apply (E (first H)) | apply largest_each]. Qed.
Lemma largest_most (H : finite) a f : (forall x, f x <= a) -> largest H f <= a.
Proof. intros E. destruct (largest_point H f) as [x X]. rewrite <- X. apply E. Qed.
Lemma largest_above (H : finite) a f : (forall x, a < f x) -> a < largest H f.
Proof. intros E. destruct (largest_point H f) as [x X]. rewrite <- X. apply E. Qed.
Lemma largest_below (H : finite) a f : (forall x, f x < a) -> largest H f < a.
Proof. intros E. destruct (largest_point H f) as [x X]. rewrite <- X. apply E. Qed.
Lemma largest_integer (H : finite) f : (forall x, integer (f x)) -> integer (largest H f).
Proof. intros E. destruct (largest_point H f) as [x X]. rewrite <- X. apply E. Qed.
Lemma largest_total (H : finite) f : (forall x, 0 <= f x) -> largest H f <= total H f.
Proof. intros P. destruct (largest_point H f) as [x X]. rewrite <- X. apply total_each, P. Qed.

(* A point with at least the average *)

Lemma mean_point (mu : law) f : exists x : mu, mean mu f <= f x.
Proof.
  destruct (Classical_Prop.classic (exists x : mu, mean mu f <= f x)) as [E | N]; [assumption|]. exfalso.
  assert (mean mu f < mean mu f); [|lra]. apply mean_below. intros x.
  destruct (Rlt_or_le (f x) (mean mu f)); [assumption|]. exfalso. apply N. exists x. assumption.
Qed.
Lemma mean_point_below (mu : law) f : exists x : mu, f x <= mean mu f.
Proof.
  destruct (mean_point mu (fun x => -1 * f x)) as [x X]. rewrite over_scale in X. exists x. lra.
Qed.
Lemma total_point (H : finite) f : exists x : H, total H f <= size H * f x.
Proof.
  destruct (largest_point H f) as [x X]. exists x. rewrite X, Rmult_comm, <- over_scale. apply total_le.
  intros y. rewrite Rmult_1_r. apply largest_each.
Qed.
Lemma total_point_below (H : finite) f : exists x : H, size H * f x <= total H f.
Proof.
  destruct (total_point H (fun x => -1 * f x)) as [x X]. rewrite over_scale in X. exists x. lra.
Qed.

(* Events *)

Lemma is_at_most_cases a b : (a <= b /\ is_at_most a b = 1) \/ (b < a /\ is_at_most a b = 0).
Proof. unfold is_at_most. destruct (Rle_dec a b); [left | right]; split; lra. Qed.
Lemma is_at_most_zero_or_one a b : is_at_most a b = 1 \/ is_at_most a b = 0.
Proof. destruct (is_at_most_cases a b) as [[_ E] | [_ E]]; [left | right]; exact E. Qed.
Lemma is_at_most_one a b : a <= b -> is_at_most a b = 1.
Proof. destruct (is_at_most_cases a b) as [[_ E] | [L _]]; lra. Qed.
Lemma is_at_most_none a b : b < a -> is_at_most a b = 0.
Proof. destruct (is_at_most_cases a b) as [[L _] | [_ E]]; lra. Qed.
Lemma is_at_most_scaled c a b p : 0 < c -> p = c * (a - b) -> is_at_most a b = is_at_most p 0.
Proof.
  intros C E. destruct (is_at_most_cases a b) as [[L K] | [L K]]; rewrite K; symmetry;
    [apply is_at_most_one | apply is_at_most_none]; subst p; nra.
Qed.
Lemma zero_or_one x : integer x -> 0 <= x -> x <= 1 -> x = 1 \/ x = 0.
Proof.
  intros [z Z] L M. subst x. apply le_IZR in L. apply le_IZR in M.
  assert (C : (z = 1 \/ z = 0)%Z) by lia. destruct C; subst z; [left | right]; reflexivity.
Qed.

(* From events to functions: what is affine in a function with values in [0, 1] is least at an event. *)

Definition affine {A : Type} (D : (A -> R) -> R) : Prop := exists c l, forall F, D F = c + over l F.
Lemma over_append {A} (l k : list (R * A)) f : over (l ++ k) f = over l f + over k f.
Proof. induction l as [|p l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma over_weights {A} (l : list (R * A)) c f : over (map (fun p => (c * fst p, snd p)) l) f = c * over l f.
Proof. induction l as [|p l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma affine_number {A} c : affine (fun _ : A -> R => c).
Proof. exists c, nil. intros. simpl. ring. Qed.
Lemma affine_value {A} (y : A) : affine (fun F => F y).
Proof. exists 0, ((1, y) :: nil). intros. simpl. ring. Qed.
Lemma affine_plus {A} (D E : (A -> R) -> R) : affine D -> affine E -> affine (fun F => D F + E F).
Proof.
  intros [c [l L]] [d [k K]]. exists (c + d), (l ++ k). intros. rewrite L, K, over_append. ring.
Qed.
Lemma affine_times {A} c (D : (A -> R) -> R) : affine D -> affine (fun F => c * D F).
Proof.
  intros [d [l L]]. exists (c * d), (map (fun p => (c * fst p, snd p)) l). intros. rewrite L, over_weights. ring.
Qed.
Lemma affine_equal {A} (D E : (A -> R) -> R) : (forall F, D F = E F) -> affine E -> affine D.
Proof. intros S [c [l L]]. exists c, l. intros. rewrite S. apply L. Qed.
Lemma affine_minus {A} (D E : (A -> R) -> R) : affine D -> affine E -> affine (fun F => D F - E F).
Proof.
  intros L K. apply (affine_equal _ (fun F => D F + -1 * E F)); [intros; ring|].
  apply affine_plus, affine_times; assumption.
Qed.
Lemma affine_negative {A} (D : (A -> R) -> R) : affine D -> affine (fun F => - D F).
Proof. intros L. apply (affine_equal _ (fun F => -1 * D F)); [intros; ring|]. apply affine_times, L. Qed.
Lemma affine_times_right {A} c (D : (A -> R) -> R) : affine D -> affine (fun F => D F * c).
Proof. intros L. apply (affine_equal _ (fun F => c * D F)); [intros; ring|]. apply affine_times, L. Qed.
Lemma affine_over_right {A} c (D : (A -> R) -> R) : affine D -> affine (fun F => D F / c).
Proof. intros L. apply affine_times_right, L. Qed.
Lemma affine_over {A B} (k : list (R * B)) (D : B -> (A -> R) -> R) :
  (forall b, affine (D b)) -> affine (fun F => over k (fun b => D b F)).
Proof.
  intros L. induction k as [|p k IH]; simpl; [apply affine_number|].
  apply (affine_plus (fun F => fst p * D (snd p) F)); [apply affine_times, L | exact IH].
Qed.
Lemma over_alike {A} (l : list (R * A)) f g : (forall p, In p l -> f (snd p) = g (snd p)) -> over l f = over l g.
Proof.
  induction l as [|p l IH]; simpl; intros E; [reflexivity|]. rewrite (E p), IH; auto.
Qed.
Lemma least_at_event {A} c (l : list (R * A)) (P : R -> Prop) :
  (forall s t v, P s -> P t -> 0 <= v <= 1 -> P ((1 - v) * s + v * t)) ->
  (forall F, (forall y, integer (F y)) -> (forall y, 0 <= F y) -> (forall y, F y <= 1) -> P (c + over l F)) ->
  forall vs F, (forall y, 0 <= F y) -> (forall y, F y <= 1) ->
  (forall p, In p l -> In (F (snd p)) vs \/ F (snd p) = 0 \/ F (snd p) = 1) -> P (c + over l F).
Proof.
  intros M E vs. induction vs as [|v vs IH]; intros F L U V.
  - set (G := fun y => if Req_EM_T (F y) 1 then 1 else 0).
    assert (S : over l F = over l G).
    { apply over_alike. intros p I. unfold G. destruct (V p I) as [[] | [Z | Z]];
        destruct (Req_EM_T (F (snd p)) 1); lra. }
    rewrite S. apply E; intros y; unfold G; destruct (Req_EM_T (F y) 1); first [apply integer_number | lra].
  - destruct (Rlt_dec v 0) as [N|N].
    { apply IH; try assumption. intros p I. destruct (V p I) as [[Q | Q] | Q]; auto. specialize (L (snd p)). lra. }
    destruct (Rlt_dec 1 v) as [O|O].
    { apply IH; try assumption. intros p I. destruct (V p I) as [[Q | Q] | Q]; auto. specialize (U (snd p)). lra. }
    set (G := fun a y => if Req_EM_T (F y) v then a else F y).
    replace (c + over l F) with ((1 - v) * (c + over l (G 0)) + v * (c + over l (G 1))).
    + apply M; [| |lra]; apply IH; intros y; unfold G;
        try (destruct (Req_EM_T (F y) v); [lra | first [apply L | apply U]]);
        intros I; destruct (Req_EM_T (F (snd y)) v); auto;
        destruct (V y I) as [[Q | Q] | Q]; auto; exfalso; auto.
    + transitivity (c + ((1 - v) * over l (G 0) + v * over l (G 1))); [ring|]. f_equal.
      rewrite <- !over_scale, <- over_plus. apply over_ext. intros y. unfold G.
      destruct (Req_EM_T (F y) v) as [Q | Q]; [rewrite Q|]; ring.
Qed.
Lemma at_functions {A} (D : (A -> R) -> R) (P : R -> Prop) :
  (forall s t v, P s -> P t -> 0 <= v <= 1 -> P ((1 - v) * s + v * t)) -> affine D ->
  (forall F, (forall y, integer (F y)) -> (forall y, 0 <= F y) -> (forall y, F y <= 1) -> P (D F)) ->
  forall F, (forall y, 0 <= F y) -> (forall y, F y <= 1) -> P (D F).
Proof.
  intros M [c [l S]] E F L U. rewrite S.
  apply (least_at_event c l P M) with (vs := map (fun p => F (snd p)) l); try assumption.
  - intros G I K N. rewrite <- S. apply E; assumption.
  - intros p I. left. apply in_map_iff. exists p. auto.
Qed.
Lemma functions_le {A} (X Y : (A -> R) -> R) :
  affine (fun F => Y F - X F) ->
  (forall F, (forall y, integer (F y)) -> (forall y, 0 <= F y) -> (forall y, F y <= 1) -> X F <= Y F) ->
  forall F, (forall y, 0 <= F y) -> (forall y, F y <= 1) -> X F <= Y F.
Proof.
  intros D E F N O. assert (0 <= Y F - X F); [|lra].
  apply (at_functions (fun F => Y F - X F) (fun r => 0 <= r)); try assumption.
  - intros s t v S T V. nra.
  - intros G I K M. specialize (E G I K M). lra.
Qed.
Lemma functions_lt {A} (X Y : (A -> R) -> R) :
  affine (fun F => Y F - X F) ->
  (forall F, (forall y, integer (F y)) -> (forall y, 0 <= F y) -> (forall y, F y <= 1) -> X F < Y F) ->
  forall F, (forall y, 0 <= F y) -> (forall y, F y <= 1) -> X F < Y F.
Proof.
  intros D E F N O. assert (0 < Y F - X F); [|lra].
  apply (at_functions (fun F => Y F - X F) (fun r => 0 < r)); try assumption.
  - intros s t v S T V. destruct (Rle_lt_dec v (1 / 2)); nra.
  - intros G I K M. specialize (E G I K M). lra.
Qed.
Lemma functions_ext {A} (X Y : (A -> R) -> R) :
  affine (fun F => Y F - X F) ->
  (forall F, (forall y, integer (F y)) -> (forall y, 0 <= F y) -> (forall y, F y <= 1) -> X F = Y F) ->
  forall F, (forall y, 0 <= F y) -> (forall y, F y <= 1) -> X F = Y F.
Proof.
  intros D E F N O. assert (Y F - X F = 0); [|lra].
  apply (at_functions (fun F => Y F - X F) (fun r => r = 0)); try assumption.
  - intros s t v S T V. rewrite S, T. ring.
  - intros G I K M. specialize (E G I K M). lra.
Qed.
Ltac is_affine := first
  [ apply affine_number | apply affine_value
  | apply affine_plus; is_affine | apply affine_minus; is_affine | apply affine_negative; is_affine
  | apply affine_times; is_affine | apply affine_times_right; is_affine | apply affine_over_right; is_affine
  | apply affine_over; intro; is_affine ].

(* Induction *)

Lemma induction_from (a : Z) (P : R -> Prop) :
  P (IZR a) -> (forall n, integer n -> IZR a <= n -> P n -> P (n + 1)) -> forall n, integer n -> IZR a <= n -> P n.
Proof.
  intros B N n [z Z] L. subst n. apply le_IZR in L.
  replace z with (a + Z.of_nat (Z.to_nat (z - a)))%Z by lia.
  induction (Z.to_nat (z - a)) as [|k IH]; [replace (a + Z.of_nat 0)%Z with a by lia; assumption|].
  replace (a + Z.of_nat (S k))%Z with (a + Z.of_nat k + 1)%Z by lia. rewrite plus_IZR.
  apply N; [apply integer_number | apply IZR_le; lia | assumption].
Qed.

Lemma power_e x : power (exp 1) x = exp x.
Proof. rewrite power_above by apply exp_pos. rewrite ln_exp. f_equal. ring. Qed.
Lemma power_zero a : power a 0 = 1.
Proof.
  unfold power. destruct (Rlt_dec 0 a); [apply Rpower_O; assumption|].
  destruct (Req_EM_T 0 0); [reflexivity | contradiction].
Qed.
Lemma power_one a : 0 <= a -> power a 1 = a.
Proof.
  intros [P | E]; [rewrite power_above by assumption; rewrite Rmult_1_l; apply exp_ln; assumption|].
  subst a. unfold power. destruct (Rlt_dec 0 0); [lra|]. destruct (Req_EM_T 1 0); [lra | reflexivity].
Qed.
Lemma power_whole a z n : 0 < a -> z = Z.of_nat n -> power a (IZR z) = a ^ n.
Proof.
  intros P E. subst z. rewrite power_above by assumption. rewrite <- INR_IZR_INZ.
  rewrite <- Rpower_pow by assumption. reflexivity.
Qed.
Lemma one_term a : 1 * (a * 1) + 0 = a. Proof. ring. Qed.
Lemma power_at_most_one a n : 0 <= a -> a <= 1 -> a ^ n <= 1.
Proof. intros. rewrite <- (pow1 n). apply pow_incr. split; assumption. Qed.
Lemma min_as_small a b c : a <= c \/ b <= c -> Rmin a b <= c.
Proof. intros [L | L]; [eapply Rle_trans; [apply Rmin_l|] | eapply Rle_trans; [apply Rmin_r|]]; exact L. Qed.
Lemma integer_max a b : integer a -> integer b -> integer (Rmax a b).
Proof. intros. unfold Rmax. destruct (Rle_dec a b); assumption. Qed.
Lemma integer_min a b : integer a -> integer b -> integer (Rmin a b).
Proof. intros. unfold Rmin. destruct (Rle_dec a b); assumption. Qed.
Lemma integer_abs a : integer a -> integer (Rabs a).
Proof. intros. unfold Rabs. destruct (Rcase_abs a); [apply integer_negative|]; assumption. Qed.
Lemma power_positive a b : 0 < a -> 0 < power a b.
Proof. intros P. rewrite power_above by assumption. apply exp_pos. Qed.
Lemma power_at_least a b : 0 <= a -> 0 <= power a b.
Proof.
  intros [P | E]; [apply Rlt_le, power_positive; assumption|]. subst a. unfold power.
  destruct (Rlt_dec 0 0); [lra|]. destruct (Req_EM_T b 0); lra.
Qed.
Lemma times_at_most_one a b : 0 <= a -> a <= 1 -> 0 <= b -> b <= 1 -> a * b <= 1.
Proof. intros. nra. Qed.
Lemma integer_power x n : integer x -> integer (x ^ n).
Proof. intros I. induction n; simpl; [apply (integer_number 1) | apply integer_times; assumption]. Qed.
Lemma integer_at_most a b : integer (is_at_most a b).
Proof. destruct (is_at_most_zero_or_one a b) as [E | E]; rewrite E; apply integer_number. Qed.
Lemma smallest_integer (H : finite) f : (forall x, integer (f x)) -> integer (smallest H f).
Proof. intros E. destruct (smallest_point H f) as [x X]. rewrite <- X. apply E. Qed.
Lemma smallest_least (H : finite) a f : (forall x, a <= f x) -> a <= smallest H f.
Proof. intros E. destruct (smallest_point H f) as [x X]. rewrite <- X. apply E. Qed.
Lemma smallest_most (H : finite) a f : (forall x, f x <= a) -> smallest H f <= a.
Proof. intros E. destruct (smallest_point H f) as [x X]. rewrite <- X. apply E. Qed.

(* Tactics *)

Ltac new_fact t := let T := type of t in lazymatch goal with _ : T |- _ => fail | _ => pose proof t end.
(* What is 0 or 1, both ways. *)
Ltac both_ways_tried := repeat match goal with
  | |- context [is_at_most ?a ?b] =>
      let Z := fresh "Z" in destruct (is_at_most_zero_or_one a b) as [Z | Z]; rewrite !Z; clear Z
  | I : integer ?a, L : 0 <= ?a, M : ?a <= 1 |- context [?a] =>
      let Z := fresh "Z" in destruct (zero_or_one a I L M) as [Z | Z]; rewrite !Z; clear Z
  end.
Ltac linear :=
  repeat (etransitivity; [ apply over_more | cbv beta; apply (f_equal2 Rplus); [ reflexivity |] ]); apply over_zero.
Ltac bound :=
  cbv beta; rewrite ?one_term, ?Rmult_1_r;
  lazymatch goal with
  | |- integer (over (listed _) _) => apply total_integer; intro; bound
  | |- integer (largest _ _) => apply largest_integer; intro; bound
  | |- integer (smallest _ _) => apply smallest_integer; intro; bound
  | |- integer (is_at_most _ _) => apply integer_at_most
  | |- integer (_ + _) => apply integer_plus; bound
  | |- integer (_ - _) => apply integer_minus; bound
  | |- integer (_ * _) => apply integer_times; bound
  | |- integer (- _) => apply integer_negative; bound
  | |- integer (_ ^ _) => apply integer_power; bound
  | |- integer (Rabs _) => apply integer_abs; bound
  | |- integer (Rmax _ _) => apply integer_max; bound
  | |- integer (Rmin _ _) => apply integer_min; bound
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- _ <= Rmin _ _ => apply Rmin_glb; bound
  | |- _ < Rmin _ _ => apply Rmin_glb_lt; bound
  | |- Rmax _ _ <= _ => apply Rmax_lub; bound
  | |- Rmax _ _ < _ => apply Rmax_lub_lt; bound
  | |- _ <= Rmax _ _ => apply max_as_big; first [ left; bound | right; bound ]
  | |- Rmin _ _ <= _ => apply min_as_small; first [ left; bound | right; bound ]
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- integer (IZR _) => apply integer_number
  | |- integer (rounded_down _) => apply integer_down
  | |- integer (rounded_up _) => apply integer_up
  | |- integer _ => first [ assumption | values; assumption ]
  | |- _ <= over (weighted _) _ => apply mean_least; intro; bound
  | |- _ < over (weighted _) _ => apply mean_above; intro; bound
  | |- over (weighted _) _ <= _ => apply mean_most; intro; bound
  | |- over (weighted _) _ < _ => apply mean_below; intro; bound
  | |- 0 <= over (listed _) _ => apply total_least; intro; bound
  | |- 0 < over (listed _) _ => apply total_above; intro; bound
  | |- over (listed _) _ <= 0 => apply total_most; intro; bound
  | |- over (listed _) _ < 0 => apply total_below; intro; bound
  | |- _ <= largest _ _ => apply largest_least; intro; bound
  | |- _ < largest _ _ => apply largest_above; intro; bound
  | |- largest _ _ <= _ => apply largest_most; intro; bound
  | |- largest _ _ < _ => apply largest_below; intro; bound
  | |- _ <= smallest _ _ => apply smallest_least; intro; bound
  | |- smallest _ _ <= _ => apply smallest_most; intro; bound
  | |- 0 <= _ + _ => first [ apply Rplus_le_le_0_compat; bound | leaf_bound ]
  | |- 0 <= _ * _ => first [ apply Rmult_le_pos; bound | leaf_bound ]
  | |- 0 < _ * _ => first [ apply Rmult_lt_0_compat; bound | leaf_bound ]
  | |- _ * _ <= 1 => first [ apply times_at_most_one; bound | leaf_bound ]
  | |- _ ^ _ <= 1 => first [ apply power_at_most_one; bound | leaf_bound ]
  | |- 0 <= _ ^ _ => first [ apply pow_le; bound | leaf_bound ]
  | |- 0 < power _ _ => apply power_positive; bound
  | |- 0 <= power _ _ => apply power_at_least; bound
  | |- 0 <= _ / _ => first [ apply over_at_least; bound | leaf_bound ]
  | |- 0 < _ / _ => first [ apply Rdiv_lt_0_compat; bound | leaf_bound ]
  | |- 0 < _ ^ _ => first [ apply pow_lt; bound | leaf_bound ]
  | |- 0 < / _ => apply Rinv_0_lt_compat; bound
  | |- 0 <= / _ => apply Rlt_le, Rinv_0_lt_compat; bound
  | |- _ => leaf_bound
  end
with leaf_bound :=
  first [ assumption | lra | known | values; nested; first [ lra | both_ways_tried; lra | nra ] ]
(* What is found of averages, sums and largest values that the goal speaks of. *)
with nested := repeat match goal with
  | |- context [largest ?H ?f] => found_of (largest H f)
  | |- context [over (weighted ?l) ?f] => found_of (over (weighted l) f)
  | |- context [over (listed ?l) ?f] => found_of (over (listed l) f)
  end
with found_of t :=
  new_fact (eq_refl t);
  first [ assert (0 <= t) by bound; try assert (t <= 1) by bound
        | assert (t <= 0) by bound; try assert (-1 <= t) by bound | assert (-1 <= t <= 1) by (split; bound) | idtac ];
  try assert (integer t) by bound
(* What is declared of the values of functions that the goal speaks of. *)
with values := repeat match goal with
  | R : forall x : _, _ <= ?f x |- context [?f ?a] => new_fact (R a)
  | R : forall x : _, _ < ?f x |- context [?f ?a] => new_fact (R a)
  | R : forall x : _, ?f x <= _ |- context [?f ?a] => new_fact (R a)
  | R : forall x : _, ?f x < _ |- context [?f ?a] => new_fact (R a)
  | R : forall x : _, integer (?f x) |- context [?f ?a] => new_fact (R a)
  | R : forall x y, _ <= ?f x y |- context [?f ?a ?b] => new_fact (R a b)
  | R : forall x y, _ < ?f x y |- context [?f ?a ?b] => new_fact (R a b)
  | R : forall x y, ?f x y <= _ |- context [?f ?a ?b] => new_fact (R a b)
  | R : forall x y, ?f x y < _ |- context [?f ?a ?b] => new_fact (R a b)
  | R : forall x y, integer (?f x y) |- context [?f ?a ?b] => new_fact (R a b)
  | R : forall x y z, _ <= ?f x y z |- context [?f ?a ?b ?c] => new_fact (R a b c)
  | R : forall x y z, _ < ?f x y z |- context [?f ?a ?b ?c] => new_fact (R a b c)
  | R : forall x y z, ?f x y z <= _ |- context [?f ?a ?b ?c] => new_fact (R a b c)
  | R : forall x y z, ?f x y z < _ |- context [?f ?a ?b ?c] => new_fact (R a b c)
  | R : forall x y z, integer (?f x y z) |- context [?f ?a ?b ?c] => new_fact (R a b c)
  | R : forall x y z w, _ <= ?f x y z w |- context [?f ?a ?b ?c ?d] => new_fact (R a b c d)
  | R : forall x y z w, _ < ?f x y z w |- context [?f ?a ?b ?c ?d] => new_fact (R a b c d)
  | R : forall x y z w, ?f x y z w < _ |- context [?f ?a ?b ?c ?d] => new_fact (R a b c d)
  | R : forall x y z w, ?f x y z w <= _ |- context [?f ?a ?b ?c ?d] => new_fact (R a b c d)
  | R : forall x y z w v, _ <= ?f x y z w v |- context [?f ?a ?b ?c ?d ?e] => new_fact (R a b c d e)
  | R : forall x y z w v, ?f x y z w v <= _ |- context [?f ?a ?b ?c ?d ?e] => new_fact (R a b c d e)
  | R : forall x y z w v, integer (?f x y z w v) |- context [?f ?a ?b ?c ?d ?e] => new_fact (R a b c d e)
  | R : forall x y z w v u, _ <= ?f x y z w v u |- context [?f ?a ?b ?c ?d ?e ?g] => new_fact (R a b c d e g)
  | R : forall x y z w v u, ?f x y z w v u <= _ |- context [?f ?a ?b ?c ?d ?e ?g] => new_fact (R a b c d e g)
  | R : forall x y z w v u, integer (?f x y z w v u) |- context [?f ?a ?b ?c ?d ?e ?g] => new_fact (R a b c d e g)
  | R : forall x y z w, integer (?f x y z w) |- context [?f ?a ?b ?c ?d] => new_fact (R a b c d)
  end.
(* Functions whose arguments are equal. *)
Ltac alike := repeat match goal with
  | |- context [exp ?a] => match goal with |- context [exp ?b] => same_arguments (exp a) (exp b) end
  | |- context [ln ?a] => match goal with |- context [ln ?b] => same_arguments (ln a) (ln b) end
  | |- context [sqrt ?a] => match goal with |- context [sqrt ?b] => same_arguments (sqrt a) (sqrt b) end
  | |- context [Rabs ?a] => match goal with |- context [Rabs ?b] => same_arguments (Rabs a) (Rabs b) end
  | |- context [Rmax ?a ?c] => match goal with |- context [Rmax ?b ?d] => same_arguments (Rmax a c) (Rmax b d) end
  | |- context [Rmin ?a ?c] => match goal with |- context [Rmin ?b ?d] => same_arguments (Rmin a c) (Rmin b d) end
  | |- context [power ?a ?c] => match goal with |- context [power ?b ?d] => same_arguments (power a c) (power b d) end
  | |- context [rounded_down ?a] => match goal with |- context [rounded_down ?b] =>
      same_arguments (rounded_down a) (rounded_down b) end
  | |- context [rounded_up ?a] => match goal with |- context [rounded_up ?b] =>
      same_arguments (rounded_up a) (rounded_up b) end
  | |- context [?f ?a] => is_var f; lazymatch type of a with R => match goal with |- context [f ?b] =>
      same_arguments (f a) (f b) end end
  end
with same_arguments a b :=
  tryif constr_eq a b then fail else
    replace a with b by (f_equal; first [ ring | field; known | progress alike; first [ reflexivity | ring ] ]).
Ltac poly := first [ reflexivity | ring | field; known | progress alike; first [ reflexivity | ring | field; known ]
                   | values; first [ field; known | both_ways_tried; first [ ring | field; known ] ]
                   | progress alike_inside; first [ reflexivity | ring | field; known ] ]
with alike_inside := repeat match goal with
  | |- context [largest ?H ?f] => match goal with |- context [largest H ?g] =>
      tryif constr_eq f g then fail else replace (largest H f) with (largest H g) by (apply largest_ext; intro; poly) end
  | |- context [over ?l ?f] => match goal with |- context [over l ?g] =>
      tryif constr_eq f g then fail else replace (over l f) with (over l g) by (apply over_ext; intro; poly) end
  end.
(* What follows by arithmetic from what is known. *)
Ltac closes := first [ assumption | lra | known | alike; first [ assumption | lra ]
                     | progress powers; closes | nra ]
with powers := repeat match goal with
  | |- context [power ?a 0] => rewrite (power_zero a)
  | |- context [power ?a 1] => rewrite (power_one a) by bound
  | |- context [power ?a (IZR ?z)] =>
      let n := eval compute in (Z.to_nat z) in rewrite (power_whole a z n) by first [ reflexivity | bound ]
  | |- context [power ?a ?b] => lazymatch b with IZR _ => fail | _ => first [ replace b with 0 by ring | replace b with 1 by ring ] end
  | |- context [?a ^ 0] => rewrite (pow_O a)
  | |- context [?a ^ 1] => rewrite (pow_1 a)
  end.
(* A relation whose sides are equal to those of another; two that exclude each other. *)
Ltac as_in H :=
  match type of H with
  | ?a <= ?b => match goal with |- ?c <= ?d => replace c with a by poly; replace d with b by poly; exact H end
  | ?a < ?b => match goal with
      | |- ?c < ?d => replace c with a by poly; replace d with b by poly; exact H
      | |- ?d > ?c => replace c with a by poly; replace d with b by poly; exact H
      end
  | ?a = ?b => match goal with |- ?c = ?d => replace c with a by poly; replace d with b by poly; exact H end
  end.
Ltac contrary H G :=
  match type of H with
  | ?a <= ?b => match type of G with ?c > ?d => replace c with a in G by poly; replace d with b in G by poly; lra end
  | ?b < ?a => match type of G with ?c <= ?d => replace c with a in G by poly; replace d with b in G by poly; lra end
  end.
(* That something is defined. *)
Ltac defined :=
  intros;
  lazymatch goal with
  | |- ?a <> 0 => first [ known | apply not_zero_above; bound | apply not_zero_below; bound | nonzero_product ]
  | |- _ \/ _ => first [ left; bound | right; repeat split; bound ]
  | |- _ => bound
  end
with nonzero_product := lazymatch goal with
  | |- ?a * ?b <> 0 => apply Rmult_integral_contrapositive_currified; defined
  | |- ?a ^ ?n <> 0 => apply pow_nonzero; defined
  end.
