/** Two kinds of work that may each run many at once, but never beside the other kind. */
export interface Turns {
  first<T>(work: () => Promise<T>): Promise<T>
  second<T>(work: () => Promise<T>): Promise<T>
}

/** First come, first served: work joins the turn of its kind only while the other kind does not wait behind it. */
export function createTurns(): Turns {
  let kind: keyof Turns | undefined
  let before: Promise<unknown> = Promise.resolve()
  let turn: Promise<unknown>[] = []

  function take<T>(of: keyof Turns, work: () => Promise<T>): Promise<T> {
    if (of !== kind) {
      before = Promise.all(turn)
      turn = []
      kind = of
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

  return { first: (work) => take('first', work), second: (work) => take('second', work) }
}
