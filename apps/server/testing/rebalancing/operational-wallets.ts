import type { Operation, PlanMove } from '../../src/operations/index.ts'
import { planMove } from '../../src/operations/index.ts'
import { addOperationalWallet, findWalletToken, type OperationalWallet } from '../../src/wallets/index.ts'
import type { EngineFixture } from '../operations/engine-fixture.ts'
import { BY_KEY } from '../operations/requesters.ts'
import type { TestClient } from '../operations/test-client.ts'

/** Makes the USDC of a client's wallet an operational wallet. The buffer is in base units. */
export async function createOperationalWallet(
  { parts }: EngineFixture,
  { wallet }: TestClient,
  buffer = 0n,
): Promise<OperationalWallet> {
  const { organizationId, walletId } = wallet
  const watched = await findWalletToken(parts, { organizationId, walletId, symbol: 'USDC' })
  return (await addOperationalWallet(parts, { ...watched, enableYield: true, buffer })).operationalWallet
}

/** Plans an explicitly requested move of an operational wallet. */
export function planExplicitMove(
  engine: EngineFixture,
  { organizationId, opWalletId }: OperationalWallet,
  input: Pick<PlanMove, 'type' | 'amount'> & Partial<PlanMove>,
): Promise<Operation> {
  const strategyId = engine.strategy('aave-v3:polygon:USDC').id
  const explicit = { origin: 'explicit', requestedBy: BY_KEY, reasons: {} } as const
  return planMove(engine.parts, { organizationId, opWalletId, strategyId, ...explicit, ...input })
}

/** Sets the approval policy of an organization. */
export async function setPolicy(
  { db, clock }: Pick<EngineFixture, 'db' | 'clock'>,
  organizationId: number,
  policy: object,
): Promise<void> {
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const { version } = await db
    .selectFrom('approval_policies')
    .select((of) => of.fn.coalesce(of.fn.max('version'), of.lit(0)).as('version'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('approval_policies')
    .values({
      organization_id: organizationId,
      version: version + 1,
      policy: JSON.stringify(policy),
      changed_by: id,
      created_at: clock.now(),
    })
    .execute()
}

export const MANUAL_POLICY = { mode: 'manual', rules: [], default: 'require_approval', requiredApprovals: 1 }
