/** Runs work one after the other, in the order asked; what fails does not hold up what follows. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

export function createRunExclusive(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const running = last.then(work)
    last = running.catch(() => undefined)
    return running
  }
}
