/* Makes file operations below a folder fail or kills the process before them, to test what is left behind.
 *
 * Load it with LD_PRELOAD. Nothing happens before faults_arm(folder, at, how): from then on, operations that change
 * files below the folder are counted, and number `at` (from 1) is
 *   KILL  not done: the process is killed
 *   TEAR  half done if it is a write, otherwise done: then the process is killed
 *   FULL  a write that finds half the room it needs; all later ones, new files and new folders find none (ENOSPC)
 *   FAIL  not done: it reports an error of the disk (EIO)
 * `at` of 0 only counts. faults_arm(NULL, 0, 0) ends it, and faults_counted() returns the count.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { KILL = 1, TEAR = 2, FULL = 3, FAIL = 4 };
enum verdict { GO, HALF, REFUSE };

static char watched[PATH_MAX];
static atomic_long counted;
static long fault_at;
static int fault;

void faults_arm(const char* folder, long at, int how) {
  watched[0] = 0;
  counted = 0;
  fault_at = at;
  fault = how;
  if (folder && !realpath(folder, watched)) abort();
}

long faults_counted(void) { return counted; }

static int below(const char* path) {
  const size_t length = strlen(watched);
  return strncmp(path, watched, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_watched(const char* path) {
  char whole[PATH_MAX];
  if (!watched[0] || !path) return 0;
  if (path[0] == '/') return below(path);
  if (!getcwd(whole, sizeof whole)) return 0;
  strncat(whole, "/", sizeof whole - strlen(whole) - 1);
  strncat(whole, path, sizeof whole - strlen(whole) - 1);
  return below(whole);
}

static int is_watched_file(int fd) {
  char link[64], path[PATH_MAX];
  if (!watched[0]) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* What happens to an operation; `grows` says whether it needs room on the disk. */
static enum verdict judge(int grows) {
  const long number = atomic_fetch_add(&counted, 1) + 1;
  if (fault_at == 0 || number < fault_at) return GO;
  if (fault == FULL) {
    if (!grows) return GO;
    if (number == fault_at) return HALF;
    errno = ENOSPC;
    return REFUSE;
  }
  if (number > fault_at) return GO;
  if (fault == KILL) die();
  if (fault == TEAR) return HALF;
  errno = EIO;
  return REFUSE;
}

#define REAL(type, name, ...)                                             \
  static type (*real)(__VA_ARGS__);                                       \
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, #name)

/* An operation that is not a write: done before a torn process dies. */
#define WHOLE(watch, grows, call)                                         \
  if (!(watch)) return call;                                              \
  const enum verdict verdict = judge(grows);                              \
  if (verdict == REFUSE) return -1;                                       \
  if (verdict == HALF && fault == FULL) return errno = ENOSPC, -1;        \
  const int result = call;                                                \
  if (verdict == HALF) die();                                             \
  return result

#define WRITE(size, call_with)                                            \
  if (!is_watched_file(fd)) return call_with(size);                       \
  const enum verdict verdict = judge(1);                                  \
  if (verdict == REFUSE) return -1;                                       \
  if (verdict == GO) return call_with(size);                              \
  if (fault == FULL && (size) < 2) return errno = ENOSPC, -1;             \
  const ssize_t written = call_with((size) / 2);                          \
  if (fault == TEAR) die();                                               \
  return written

ssize_t write(int fd, const void* data, size_t size) {
  REAL(ssize_t, write, int, const void*, size_t);
#define CALL(n) real(fd, data, n)
  WRITE(size, CALL);
#undef CALL
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  REAL(ssize_t, pwrite, int, const void*, size_t, off_t);
#define CALL(n) real(fd, data, n, at)
  WRITE(size, CALL);
#undef CALL
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void*, size_t, off64_t);
#define CALL(n) real(fd, data, n, at)
  WRITE(size, CALL);
#undef CALL
}

/* Half of the parts, and half of the only one. */
ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec*, int);
  if (count == 1) return write(fd, parts[0].iov_base, parts[0].iov_len);
#define CALL(n) real(fd, parts, n)
  WRITE(count, CALL);
#undef CALL
}

int ftruncate(int fd, off_t size) {
  REAL(int, ftruncate, int, off_t);
  WHOLE(is_watched_file(fd), 0, real(fd, size));
}

int ftruncate64(int fd, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  WHOLE(is_watched_file(fd), 0, real(fd, size));
}

int fsync(int fd) {
  REAL(int, fsync, int);
  WHOLE(is_watched_file(fd), 0, real(fd));
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  WHOLE(is_watched_file(fd), 0, real(fd));
}

int rename(const char* from, const char* to) {
  REAL(int, rename, const char*, const char*);
  WHOLE(is_watched(to), 0, real(from, to));
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  REAL(int, renameat, int, const char*, int, const char*);
  WHOLE(is_watched(to), 0, real(from_folder, from, to_folder, to));
}

int unlink(const char* path) {
  REAL(int, unlink, const char*);
  WHOLE(is_watched(path), 0, real(path));
}

/* Relative to an open folder, as shutil.rmtree() removes files. */
int unlinkat(int folder, const char* path, int flags) {
  REAL(int, unlinkat, int, const char*, int);
  WHOLE(folder == AT_FDCWD ? is_watched(path) : is_watched_file(folder), 0, real(folder, path, flags));
}

int rmdir(const char* path) {
  REAL(int, rmdir, const char*);
  WHOLE(is_watched(path), 0, real(path));
}

int mkdir(const char* path, mode_t mode) {
  REAL(int, mkdir, const char*, mode_t);
  WHOLE(is_watched(path), 1, real(path, mode));
}

static int creates(const char* path, int flags) {
  struct stat found;
  return (flags & O_TRUNC) || ((flags & O_CREAT) && stat(path, &found) != 0);
}

#define OPEN(name)                                                        \
  int name(const char* path, int flags, ...) {                            \
    REAL(int, name, const char*, int, mode_t);                            \
    va_list more;                                                         \
    va_start(more, flags);                                                \
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;       \
    va_end(more);                                                         \
    WHOLE(is_watched(path) && creates(path, flags), 1, real(path, flags, mode)); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                      \
  int name(int folder, const char* path, int flags, ...) {                \
    REAL(int, name, int, const char*, int, mode_t);                       \
    va_list more;                                                         \
    va_start(more, flags);                                                \
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;       \
    va_end(more);                                                         \
    WHOLE(folder == AT_FDCWD && is_watched(path) && creates(path, flags), 1, real(folder, path, flags, mode)); \
  }
OPENAT(openat)
OPENAT(openat64)
