/** Runs work in the turn of its kind. */
export type TakeTurn = <T>(kind: string | symbol, work: () => Promise<T>) => Promise<T>

/**
 * Work of one kind runs together, and never beside work of another kind. First come, first served: it joins the turn of
 * its kind only while no other kind waits behind it.
 */
export function createTurns(): TakeTurn {
  let current: string | symbol | undefined
  let before: Promise<unknown> = Promise.resolve()
  let turn: Promise<unknown>[] = []

  return (kind, work) => {
    if (kind !== current) {
      before = Promise.all(turn)
      turn = []
      current = kind
    }
    const running = before.then(work)
    const over = running.then(
      () => undefined,
      () => undefined,
    )
    turn.push(over)
    void over.then(() => {
      turn = turn.filter((other) => other !== over)
    })
    return running
  }
}
