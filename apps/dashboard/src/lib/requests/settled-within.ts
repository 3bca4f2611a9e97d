/** Waits for the work, but no longer than this. */
export async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
