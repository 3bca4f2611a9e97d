let networks = 0

/** The address of a caller whose network no test of this file has used. */
export function freshNetwork(): string {
  networks += 1
  return `198.51.${Math.floor(networks / 250)}.${networks % 250}`
}
