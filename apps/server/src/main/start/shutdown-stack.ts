/** Stops started parts in reverse order, even if some of them fail to stop. */
export interface ShutdownStack {
  push(name: string, stop: () => Promise<unknown> | unknown): void
  /** Stops everything, last started first. An error is reported, and the next part is stopped anyway. */
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
