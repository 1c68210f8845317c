/*
 * A disk whose power can be cut, loaded before libc (LD_PRELOAD). Everything that the program does to the files of one
 * folder is done as ever and written to a log beside it; a sync is only written to the log. From the log the test
 * rebuilds what the disk would hold after a power cut: nothing is certain but what was written before a sync began
 * that has ended.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC_BEGIN = 3, SYNC_END = 4, UNLINK = 5, RENAME = 6 };

struct record {
  uint32_t kind;
  uint32_t name_length;
  uint64_t inode;
  uint64_t offset; /* of a sync: its number */
  uint64_t length; /* of the data that follows the name */
};

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

static char folder[PATH_MAX];
static size_t folder_length;
static int log_file = -1;
static useconds_t sync_microseconds;
static uint64_t syncs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  const char *where = getenv("POWER_CUT_FOLDER");
  const char *log = getenv("POWER_CUT_LOG");
  const char *wait = getenv("POWER_CUT_SYNC_MICROSECONDS");
  if (where == NULL || log == NULL) return;
  snprintf(folder, sizeof folder, "%s", where);
  folder_length = strlen(folder);
  sync_microseconds = wait == NULL ? 0 : (useconds_t)atoi(wait);
  log_file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log_file < 0) abort();
}

/* The name of a file in the folder, "." for the folder itself, NULL for anything else. */
static const char *name_in_folder(const char *path) {
  if (log_file < 0 || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == '\0') return ".";
  if (path[folder_length] != '/') return NULL;
  const char *name = path + folder_length + 1;
  return strchr(name, '/') == NULL && strstr(name, " (deleted)") == NULL ? name : NULL;
}

static const char *name_of(int file, char path[PATH_MAX], uint64_t *inode) {
  if (log_file < 0) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = '\0';
  const char *name = name_in_folder(path);
  struct stat64 found;
  if (name == NULL || fstat64(file, &found) != 0) return NULL;
  *inode = found.st_ino;
  return name;
}

/* Writes a record to the log; the caller holds the mutex. A record that a kill cuts short is the last one and counts for nothing. */
static void note(uint32_t kind, const char *name, uint64_t inode, uint64_t offset, const void *data, size_t length) {
  struct record head = {kind, (uint32_t)strlen(name), inode, offset, length};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)name, head.name_length}, {(void *)data, length}};
  ssize_t whole = (ssize_t)(sizeof head + head.name_length + length);
  if (real_writev(log_file, parts, 3) != whole) abort();
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
  char path[PATH_MAX];
  uint64_t inode;
  const char *name = name_of(file, path, &inode);
  if (name == NULL) return real_pwrite(file, data, length, offset);
  pthread_mutex_lock(&mutex);
  ssize_t written = real_pwrite(file, data, length, offset);
  if (written > 0) note(WRITE, name, inode, (uint64_t)offset, data, (size_t)written);
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
  return pwrite64(file, data, length, offset);
}

ssize_t write(int file, const void *data, size_t length) {
  char path[PATH_MAX];
  uint64_t inode;
  const char *name = name_of(file, path, &inode);
  if (name == NULL) return real_write(file, data, length);
  pthread_mutex_lock(&mutex);
  off64_t offset = lseek64(file, 0, SEEK_CUR);
  ssize_t written = real_write(file, data, length);
  if (written > 0) note(WRITE, name, inode, (uint64_t)offset, data, (size_t)written);
  pthread_mutex_unlock(&mutex);
  return written;
}

int ftruncate64(int file, off64_t length) {
  char path[PATH_MAX];
  uint64_t inode;
  const char *name = name_of(file, path, &inode);
  if (name == NULL) return real_ftruncate(file, length);
  pthread_mutex_lock(&mutex);
  int result = real_ftruncate(file, length);
  if (result == 0) note(TRUNCATE, name, inode, (uint64_t)length, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fsync(int file) {
  char path[PATH_MAX];
  uint64_t inode;
  const char *name = name_of(file, path, &inode);
  if (name == NULL) return real_fsync(file);
  pthread_mutex_lock(&mutex);
  uint64_t number = ++syncs;
  note(SYNC_BEGIN, name, inode, number, NULL, 0);
  pthread_mutex_unlock(&mutex);
  if (sync_microseconds > 0) usleep(sync_microseconds);
  pthread_mutex_lock(&mutex);
  note(SYNC_END, name, inode, number, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int fdatasync(int file) { return fsync(file); }

int unlink(const char *path) {
  const char *name = name_in_folder(path);
  if (name == NULL) return real_unlink(path);
  pthread_mutex_lock(&mutex);
  int result = real_unlink(path);
  if (result == 0) note(UNLINK, name, 0, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int rename(const char *from, const char *to) {
  const char *name = name_in_folder(from);
  const char *other = name_in_folder(to);
  if (name == NULL || other == NULL) return real_rename(from, to);
  pthread_mutex_lock(&mutex);
  int result = real_rename(from, to);
  if (result == 0) note(RENAME, name, 0, 0, other, strlen(other));
  pthread_mutex_unlock(&mutex);
  return result;
}
