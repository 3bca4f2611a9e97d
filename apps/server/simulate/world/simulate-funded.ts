import { type Call, evmCall } from '../../src/chains/index.ts'
import { execute } from './contracts.ts'
import { Revert } from './state.ts'
import { seconds, type World, type WorldBlock } from './world.ts'

interface FundedCalls {
  readonly from: string
  readonly funds: { readonly token: string; readonly amount: bigint }
  readonly calls: readonly Call[]
}

/** Which calls would succeed in sequence on a block if the sender had these funds; a failed one changes nothing. */
export function simulateFunded(
  { markets, closed }: World,
  { state: latest, time }: WorldBlock,
  { from, funds: { token, amount }, calls }: FundedCalls,
): boolean[] {
  const state = latest.copy()
  state.add(token, from, amount - state.balance(token, from))
  return calls.map((call) => {
    const { to, data } = evmCall(call)
    if (closed.has(to)) return false
    const before = state.copy()
    try {
      execute(state, markets, seconds(time), { sender: from, to, data })
      return true
    } catch (error) {
      if (!(error instanceof Revert)) throw error
      state.restore(before)
      return false
    }
  })
}
