/** What was started, so that it can be stopped in the reverse order, whatever became of the rest. */
export interface ShutdownStack {
  push(name: string, stop: () => Promise<unknown> | unknown): void
  /** Stops everything, last started first. An error is told and the next one is stopped all the same. */
  unwind(onError: (name: string, error: unknown) => void): Promise<void>
}

export function createShutdownStack(): ShutdownStack {
  const started: { name: string; stop: () => Promise<unknown> | unknown }[] = []
  return {
    push(name, stop) {
      started.push({ name, stop })
    },
    async unwind(onError) {
      for (let part = started.pop(); part; part = started.pop()) {
        try {
          await part.stop()
        } catch (error) {
          onError(part.name, error)
        }
      }
    },
  }
}
