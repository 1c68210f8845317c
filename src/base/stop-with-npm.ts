/** Stops the process when its parent is gone: npm starts programs through a shell that forwards no signals. */
export function stopWithNpm(variables: NodeJS.ProcessEnv): void {
  if (variables.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
