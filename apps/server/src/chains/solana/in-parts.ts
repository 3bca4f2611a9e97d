/** So many calls are under way at once: a few HTTP requests, so that providers do not say that there are too many. */
const PART = 400

/** Asks about each of many things, some hundred at a time; the answers are in the order of the things. */
export async function inParts<T, R>(things: readonly T[], ask: (thing: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (let from = 0; from < things.length; from += PART) {
    answers.push(...(await Promise.all(things.slice(from, from + PART).map(ask))))
  }
  return answers
}
