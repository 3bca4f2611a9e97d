/** Whether two EVM addresses are the same, whatever the case in which each is written. */
export function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
