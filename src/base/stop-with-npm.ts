/** npm starts programs through a shell that forwards no signals: stop when that parent is gone. */
export function stopWithNpm(variables: NodeJS.ProcessEnv): void {
  if (variables.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
