import { withProgress } from './with-progress.ts'

/** Polls until there is a result, for at most two minutes; meanwhile prints what it waits for. */
export function until<T>(
  say: (line: string) => void,
  what: string | (() => string),
  look: () => Promise<T | undefined>,
): Promise<T> {
  return withProgress(say, what, async () => {
    for (let looks = 0; looks < 240; looks += 1) {
      const found = await look()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    throw new Error(`the tour waited two minutes for ${typeof what === 'string' ? what : what()}`)
  })
}
