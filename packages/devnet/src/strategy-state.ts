/** A change of a venue's state: exactly one of these. Amounts in base units of the token, parts in basis points. */
export type StrategyStateChange =
  /** Borrows liquidity until it returns; without an amount all of it. */
  | { readonly liquidity: 'leave' | 'return'; readonly amount?: bigint | undefined }
  /** The most that the venue accepts in total; null: no cap. */
  | { readonly depositCap: bigint | null }
  /** Neither deposits nor withdrawals. */
  | { readonly paused: boolean }
  /** No deposits. */
  | { readonly frozen: boolean }
  /** This part of the assets is lost now, at most half; 0 makes good all losses so far. */
  | { readonly lossBasisPoints: number }
  /** The part of the yield that the venue keeps, at most half. */
  | { readonly feeBasisPoints: number }
  /** What the price feed of the token reports, in 1e-8 US dollars; every strategy of the token shares it. */
  | { readonly tokenPrice: bigint }
  /** Whether the contract runs its other code. */
  | { readonly upgraded: boolean }
  /** Makes all requested withdrawals claimable, at the current price per share. */
  | { readonly pendingExits: 'settle' }
  /** How long a withdrawal waits from its request on; 0: not at all, which ends the wait of present ones too. */
  | { readonly cooldownSeconds: number }
  /** What the venue pays a year, before compounding; at most all of it again. */
  | { readonly rateBasisPoints: number }
  /** The part of all deposits that the venue pays in another token a year, while both are worth a dollar. */
  | { readonly rewardBasisPoints: number }
  /** What the withdrawal limit of the venue leaves now, at most what it will leave with time; it grows again. */
  | { readonly withdrawable: bigint }

/** The state of a venue, read from its chain. Amounts in base units of the token. */
export type StrategyState = {
  readonly paused: boolean
  readonly frozen: boolean
  /** null: no cap. */
  readonly depositCap: bigint | null
  /** What all depositors together are owed. */
  readonly totalAssets: bigint
  /** What the venue could pay now if it were not paused. */
  readonly liquidity: bigint
  readonly feeBasisPoints: number
  /** What the price feed of the token reports, in 1e-8 US dollars; absent: the chain has no feed. */
  readonly tokenPrice?: bigint
  /** Whether the contract runs its other code; absent: it cannot be upgraded. */
  readonly upgraded?: boolean
  /** How long a withdrawal waits from its request on; absent: the venue has no cooldown. */
  readonly cooldownSeconds?: number
  /** What the venue pays a year, before compounding; absent: nobody sets it. */
  readonly rateBasisPoints?: number
  /** What the venue pays on all deposits in another token a year; absent: it pays no other token. */
  readonly rewardBasisPoints?: number
}

/** Changes and reads the state of one venue. A missing method: the venue has no such state. */
export type StrategyControls = {
  liquidity?(direction: 'leave' | 'return', amount: bigint | undefined): Promise<void>
  depositCap?(cap: bigint | null): Promise<void>
  paused?(paused: boolean): Promise<void>
  frozen?(frozen: boolean): Promise<void>
  lossBasisPoints?(basisPoints: number): Promise<void>
  feeBasisPoints?(basisPoints: number): Promise<void>
  tokenPrice?(price: bigint): Promise<void>
  upgraded?(upgraded: boolean): Promise<void>
  pendingExits?(): Promise<void>
  cooldownSeconds?(seconds: number): Promise<void>
  rateBasisPoints?(basisPoints: number): Promise<void>
  rewardBasisPoints?(basisPoints: number): Promise<void>
  withdrawable?(amount: bigint): Promise<void>
  read(): Promise<StrategyState>
}

/** The venue has no such state. */
export class StateNotSupported extends Error {
  override readonly name = 'StateNotSupported'
}

/** The venue's contracts refuse the change in their current state, for example to lend while they are paused. */
export class VenueRefused extends Error {
  override readonly name = 'VenueRefused'
}

/** The states of the venues of a chain, by the key of the strategy. Changes happen one after another. */
export function strategyStates(controls: ReadonlyMap<string, StrategyControls>) {
  let last: Promise<unknown> = Promise.resolve()
  const controlsOf = (key: string): StrategyControls => {
    const found = controls.get(key)
    if (found === undefined) throw new StateNotSupported(`The state of ${key} never changes`)
    return found
  }
  return {
    strategyState: async (key: string): Promise<StrategyState> => controlsOf(key).read(),
    setStrategyState(key: string, change: StrategyStateChange): Promise<StrategyState> {
      const next = last.then(() => changeState(controlsOf(key), change))
      last = next.catch(() => undefined)
      return next
    },
  }
}

/** Applies one change and returns the state after it. Throws StateNotSupported and VenueRefused. */
async function changeState(controls: StrategyControls, change: StrategyStateChange): Promise<StrategyState> {
  const applied = applyTo(controls, change)
  if (applied === undefined) throw new StateNotSupported(`The venue has no state ${Object.keys(change)[0]}`)
  await applied
  return controls.read()
}

function applyTo(controls: StrategyControls, change: StrategyStateChange): Promise<void> | undefined {
  if ('liquidity' in change) return controls.liquidity?.(change.liquidity, change.amount)
  if ('depositCap' in change) return controls.depositCap?.(change.depositCap)
  if ('paused' in change) return controls.paused?.(change.paused)
  if ('frozen' in change) return controls.frozen?.(change.frozen)
  if ('lossBasisPoints' in change) return controls.lossBasisPoints?.(change.lossBasisPoints)
  if ('feeBasisPoints' in change) return controls.feeBasisPoints?.(change.feeBasisPoints)
  if ('tokenPrice' in change) return controls.tokenPrice?.(change.tokenPrice)
  if ('pendingExits' in change) return controls.pendingExits?.()
  if ('cooldownSeconds' in change) return controls.cooldownSeconds?.(change.cooldownSeconds)
  if ('rateBasisPoints' in change) return controls.rateBasisPoints?.(change.rateBasisPoints)
  if ('rewardBasisPoints' in change) return controls.rewardBasisPoints?.(change.rewardBasisPoints)
  if ('withdrawable' in change) return controls.withdrawable?.(change.withdrawable)
  return controls.upgraded?.(change.upgraded)
}
