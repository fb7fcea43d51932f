/* Makes one request to the system fail, of those that this process makes to write below a folder: for faults.py --system.

   cc -shared -fPIC -o failing_system.so failing_system.c -ldl, and then LD_PRELOAD: it knows nothing of dpcheck, and
   sees what SQLite asks for as well. Reading is left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { ONCE, LASTING, SHORT, KILLED };

static char below[4096];
static int armed, at, number, kind, count;
static volatile int *fired;
static unsigned char ours[65536];

void arm(const char *folder, int at_, int number_, int kind_, volatile int *told) {
    strncpy(below, folder, sizeof below - 1);
    at = at_, number = number_, kind = kind_, fired = told, count = 0, armed = 1;
}

void disarm(void) { armed = 0; }

static int is_ours(const char *path) {
    return armed && (path[0] != '/' || strncmp(path, below, strlen(below)) == 0);
}

/* Whether this request is the one: 0 it goes on, 1 it fails, 2 half of it is written. */
static int fails(int needs_room) {
    count++;
    if (kind == LASTING ? count < at || !needs_room : count != at) return 0;
    *fired = 1;
    return kind == SHORT ? 2 : 1;
}

static void end(void) {
    if (kind == KILLED) kill(getpid(), SIGKILL);
    errno = number;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define OPENS(name, parameters, arguments, ...) \
    int name parameters { \
        REAL(int, #name, __VA_ARGS__); \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
        int mine = is_ours(path) && (flags & (O_WRONLY | O_RDWR | O_CREAT)); \
        if (mine && fails(1) == 1) { end(); return -1; } \
        int file = real arguments; \
        if (file >= 0 && file < (int)sizeof ours) ours[file] = mine; \
        return file; \
    }

OPENS(open, (const char *path, int flags, ...), (path, flags, mode), const char *, int, mode_t)
OPENS(open64, (const char *path, int flags, ...), (path, flags, mode), const char *, int, mode_t)
OPENS(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), int, const char *, int, mode_t)
OPENS(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), int, const char *, int, mode_t)

int close(int file) {
    REAL(int, "close", int);
    if (file >= 0 && file < (int)sizeof ours) ours[file] = 0;
    return real(file);
}

static int known(int file) { return armed && file >= 0 && file < (int)sizeof ours && ours[file]; }

#define WRITES(name, parameters, half, arguments, ...) \
    ssize_t name parameters { \
        REAL(ssize_t, #name, __VA_ARGS__); \
        int how = known(file) ? fails(1) : 0; \
        if (how == 2 && size > 1) size /= 2, how = 0; \
        if (how == 1) { if (size > 1) (void)!real half; end(); return -1; } \
        return real arguments; \
    }

WRITES(write, (int file, const void *data, size_t size), (file, data, size / 2), (file, data, size), int, const void *, size_t)
WRITES(pwrite, (int file, const void *data, size_t size, off_t to), (file, data, size / 2, to), (file, data, size, to), int, const void *, size_t, off_t)
WRITES(pwrite64, (int file, const void *data, size_t size, off64_t to), (file, data, size / 2, to), (file, data, size, to), int, const void *, size_t, off64_t)

#define OF_A_FILE(name, room, parameters, arguments, ...) \
    int name parameters { \
        REAL(int, #name, __VA_ARGS__); \
        if (known(file) && fails(room) == 1) { end(); return -1; } \
        return real arguments; \
    }

OF_A_FILE(fsync, 1, (int file), (file), int)
OF_A_FILE(fdatasync, 1, (int file), (file), int)
OF_A_FILE(ftruncate, 0, (int file, off_t size), (file, size), int, off_t)
OF_A_FILE(ftruncate64, 0, (int file, off64_t size), (file, size), int, off64_t)
OF_A_FILE(fchmod, 1, (int file, mode_t mode), (file, mode), int, mode_t)

#define OF_A_NAME(name, room, parameters, arguments, ...) \
    int name parameters { \
        REAL(int, #name, __VA_ARGS__); \
        if (is_ours(path) && fails(room) == 1) { end(); return -1; } \
        return real arguments; \
    }

OF_A_NAME(rename, 1, (const char *path, const char *to), (path, to), const char *, const char *)
OF_A_NAME(renameat, 1, (int from, const char *path, int folder, const char *to), (from, path, folder, to), int, const char *, int, const char *)
OF_A_NAME(link, 1, (const char *path, const char *to), (path, to), const char *, const char *)
OF_A_NAME(linkat, 1, (int from, const char *path, int folder, const char *to, int flags), (from, path, folder, to, flags), int, const char *, int, const char *, int)
OF_A_NAME(unlink, 0, (const char *path), (path), const char *)
OF_A_NAME(unlinkat, 0, (int folder, const char *path, int flags), (folder, path, flags), int, const char *, int)
OF_A_NAME(mkdir, 1, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
OF_A_NAME(mkdirat, 1, (int folder, const char *path, mode_t mode), (folder, path, mode), int, const char *, mode_t)
OF_A_NAME(chmod, 1, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
OF_A_NAME(fchmodat, 1, (int folder, const char *path, mode_t mode, int flags), (folder, path, mode, flags), int, const char *, mode_t, int)
