/** Runs tasks one after another in the order of the calls. A failure does not stop later tasks. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

export function createRunExclusive(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const running = last.then(work)
    last = running.catch(() => undefined)
    return running
  }
}
