import type { Chain } from '../../chains/index.ts'
import type { Transact } from '../../database/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { type PlannedClaim, type Strategy, venueFor } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { PlanTargetInput } from './find-plan-target.ts'
import { planFromChain } from './plan-from-chain.ts'

/**
 * Plans the claim of all that a wallet requested back from a strategy and can claim now.
 *
 * Errors: those of {@link planFromChain}; ALLOCATION_NOT_FOUND (nothing can be claimed now).
 */
export const planClaim = (parts: Parts, input: PlanTargetInput, transact?: Transact<Operation>): Promise<Operation> =>
  planFromChain(
    parts,
    input,
    async (chain, strategy, wallet) => {
      const { steps, amount, worth } = await requireClaim(chain, strategy, wallet)
      return { type: 'UNWIND', amount: amount === 'full' ? null : amount, plannedValue: worth, steps }
    },
    transact,
  )

export interface ClaimNow extends PlannedClaim {
  /** What it pays now, in base units. */
  readonly worth: bigint
}

/** The claim of all that can be claimed now. Errors: ALLOCATION_NOT_FOUND, CHAIN_UNAVAILABLE. */
export async function requireClaim(chain: Chain, strategy: Strategy, wallet: Wallet): Promise<ClaimNow> {
  const claim = await readClaim(chain, strategy, wallet)
  if (claim) return claim
  throw new Failure('ALLOCATION_NOT_FOUND', {
    message: 'The wallet has nothing to claim from the strategy at the moment.',
    details: { reason: 'nothing_claimable' },
  })
}

/**
 * The claim of what can be claimed now, at most `most` base units where the protocol pays parts; `undefined`: nothing.
 * Error: CHAIN_UNAVAILABLE.
 */
export async function readClaim(
  chain: Chain,
  strategy: Strategy,
  { address: owner }: Pick<Wallet, 'address'>,
  most?: bigint | null,
): Promise<ClaimNow | undefined> {
  const { exits } = venueFor(strategy.protocol)
  if (!exits) return undefined
  const [reading] = await exits.read(chain, [{ strategy, owner }])
  assert(reading !== undefined, 'a reading for each query')
  const { claimable } = reading
  if (claimable === 0n || (most != null && most > claimable)) return undefined
  const amount = most ?? claimable
  return { ...exits.planClaim({ strategy, owner, amount }), worth: amount }
}
