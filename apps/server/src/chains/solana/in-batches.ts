/** So many calls are under way at once: a few HTTP requests, so that providers do not say that there are too many. */
const BATCH_SIZE = 400

/** Asks about each of many things, some hundred at a time; the answers are in the order of the things. */
export async function inBatches<T, R>(things: readonly T[], ask: (thing: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (let from = 0; from < things.length; from += BATCH_SIZE) {
    answers.push(...(await Promise.all(things.slice(from, from + BATCH_SIZE).map(ask))))
  }
  return answers
}
