import type { ExitMovement } from './port.ts'

export const NO_EXIT_MOVEMENT: ExitMovement = {
  requestedShares: 0n,
  requestedAssets: null,
  receivedShares: 0n,
  claimed: 0n,
  claimedElsewhere: 0n,
}

/** `undefined` where nothing moved. */
export function exitMovement(moved: ExitMovement): ExitMovement | undefined {
  const { requestedShares, receivedShares, claimed, claimedElsewhere } = moved
  return requestedShares + receivedShares + claimed + claimedElsewhere === 0n ? undefined : moved
}
