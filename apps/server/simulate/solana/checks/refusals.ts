import { Failure } from '../../../src/kernel/index.ts'
import { Violation } from '../../violation.ts'
import type { SolanaRunState } from '../solana-run-state.ts'
import { termsIn } from './payable.ts'
import type { RequestedMove } from './plan.ts'

/**
 * A vault that cannot take or pay what a client asks for is named as the reason, unless another refusal comes first; and
 * none is named that can.
 */
export async function withExactRefusal<T>(
  run: SolanaRunState,
  owner: string,
  move: RequestedMove,
  plan: () => Promise<T>,
): Promise<T> {
  const wrong = (what: string): never => {
    throw new Violation(`to ${move.kind} ${move.amount ?? 'everything'} ${what}`)
  }
  const reason = expectedRefusal(run, owner, move)
  try {
    const planned = await plan()
    if (reason !== undefined) wrong(`was planned, where the vault refuses: ${reason}`)
    return planned
  } catch (error) {
    if (!(error instanceof Failure) || !run.readsAreExact) throw error
    const named = namedRefusal(error)
    // A vault may refuse whatever it says, or need more than was estimated.
    if (reason === undefined && named !== undefined) wrong(`was refused: ${named}, and the vault would not`)
    if (reason !== undefined && error.code === 'SIMULATION_FAILED' && named !== reason)
      wrong(`failed its simulation, where the vault refuses: ${reason}`)
    throw error
  }
}

function namedRefusal({ code, details }: Failure): string | undefined {
  if (code === 'STRATEGY_NOT_ACTIVE') return String(details?.reason)
  if (code === 'AMOUNT_OUT_OF_BOUNDS') return 'part'
  return code === 'SIMULATION_FAILED' && details?.withdrawable !== undefined ? 'illiquid' : undefined
}

function expectedRefusal(run: SolanaRunState, owner: string, { market, kind, amount }: RequestedMove) {
  if (!run.readsAreExact) return undefined
  const { room, paused, payableTo, worthTo } = termsIn(run, run.cluster.latest, market)
  if (kind === 'unwind') return payableTo(owner) + 2n < (amount ?? worthTo(owner)) ? 'illiquid' : undefined
  if (paused) return 'paused'
  if (room === null || amount! <= room) return undefined
  return room === 0n ? 'full' : 'part'
}
