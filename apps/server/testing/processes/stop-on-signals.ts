/** Ctrl-C during a command stops what it started, with `stop`, before the prompt returns. Returns how to undo it. */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  const handlers = (
    [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const
  ).map(([signal, code]) => {
    const end = () => {
      // The interrupted step fails from here on; what it says would only confuse.
      console.error = () => {}
      console.log = () => {}
      void stop().finally(() => process.exit(code))
    }
    // Not `once`: npm forwards the signal that the terminal has already sent.
    process.on(signal, end)
    return () => process.off(signal, end)
  })
  return () => {
    for (const remove of handlers) remove()
  }
}
