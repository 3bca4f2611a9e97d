import type { Transact } from '../../database/index.ts'
import { revocationStep } from '../../venues/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { PlanTargetInput } from './find-plan-target.ts'
import { requireAllowance } from './left-allowance-on-chain.ts'
import { planFromChain } from './plan-from-chain.ts'

/**
 * Plans a client's revocation of the whole allowance that a wallet has given a strategy's contract, as the chain has it
 * now (rule 9). It moves nothing and reserves nothing. It supersedes as every plan does, so a waiting supply that was to
 * use the allowance ends.
 *
 * Errors: those of {@link planFromChain}; ALLOCATION_NOT_FOUND (nothing to revoke).
 */
export const planRevocation = (
  parts: Parts,
  input: PlanTargetInput,
  transact?: Transact<Operation>,
): Promise<Operation> =>
  planFromChain(
    parts,
    input,
    async (chain, strategy, wallet) => {
      const amount = await requireAllowance(chain, strategy, wallet)
      return { type: 'REVOKE', amount, steps: [revocationStep(strategy)] }
    },
    transact,
  )
