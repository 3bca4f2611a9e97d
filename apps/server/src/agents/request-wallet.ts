import { type Transact, transactOn } from '../database/index.ts'
import { requireQuota } from '../identity/index.ts'
import { Failure, validationError } from '../kernel/index.ts'
import { walletUse } from '../wallets/index.ts'
import { type AgentAction, agentActionFrom } from './action.ts'
import { insertAction } from './advance-action.ts'
import type { AgentParts } from './parts.ts'

export interface RequestWallet {
  readonly organizationId: number
  readonly blockchain: string
  readonly label: string
}

/**
 * Requests a new key from the organization's agent; its report of success makes it an organization wallet (contract 7).
 * Errors: VALIDATION_ERROR (a chain that is not served), FORBIDDEN (the default profile does not allow the chain),
 * CONFLICT (the quota of wallets, which pending requests count in).
 */
export async function requestWallet(
  parts: AgentParts,
  { organizationId, blockchain, label }: RequestWallet,
  transact: Transact<AgentAction> = transactOn(parts.db),
): Promise<AgentAction> {
  if (!parts.chains.has(blockchain)) throw validationError('blockchain', `${blockchain} is not served here`)
  return transact(async (tx) => {
    await requireQuota(tx, parts, { organizationId, quota: 'wallets', use: walletUse })
    const at = parts.clock.now()
    const { enabled_chains } = await tx
      .selectFrom('wallet_profiles')
      .select('enabled_chains')
      .where('organization_id', '=', organizationId)
      .where('is_default', '=', true)
      .executeTakeFirstOrThrow()
    if (!enabled_chains.includes(blockchain)) {
      throw new Failure('FORBIDDEN', { message: `The default wallet profile does not allow ${blockchain}.` })
    }
    return agentActionFrom(await insertAction(tx, { organizationId, payload: { blockchain, label }, at }))
  })
}
