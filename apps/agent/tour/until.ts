/** Asks again and again until there is an answer, for two minutes at most. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let looks = 0; looks < 240; looks += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`the tour waited two minutes for ${what}`)
}
