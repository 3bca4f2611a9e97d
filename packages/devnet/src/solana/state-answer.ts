import { StateNotSupported, type StrategyState, type StrategyStateChange, VenueRefused } from '../strategy-state.ts'

/** A state or one of the errors that its reader names, on its way between the chain's process and its starter. */
export type StateAnswer =
  | { readonly state: string }
  | { readonly error: 'StateNotSupported' | 'VenueRefused'; readonly message: string }

export async function answerState(read: () => Promise<StrategyState>): Promise<StateAnswer> {
  try {
    return { state: toJson(await read()) }
  } catch (error) {
    if (error instanceof StateNotSupported) return { error: 'StateNotSupported', message: error.message }
    if (error instanceof VenueRefused) return { error: 'VenueRefused', message: error.message }
    throw error
  }
}

/** Throws StateNotSupported and VenueRefused, as the chain's process did. */
export function stateOf(answer: StateAnswer): StrategyState {
  if ('error' in answer) {
    throw answer.error === 'VenueRefused' ? new VenueRefused(answer.message) : new StateNotSupported(answer.message)
  }
  return fromJson(answer.state, ['depositCap', 'totalAssets', 'liquidity']) as StrategyState
}

export function changeToJson(change: StrategyStateChange): string {
  return toJson(change)
}

export function changeFromJson(text: string): StrategyStateChange {
  return fromJson(text, ['amount', 'depositCap']) as StrategyStateChange
}

function toJson(value: object): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part))
}

function fromJson(text: string, amounts: readonly string[]): unknown {
  return JSON.parse(text, (key, part) => (amounts.includes(key) && typeof part === 'string' ? BigInt(part) : part))
}
