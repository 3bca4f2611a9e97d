import type { Chains } from '../../chains/index.ts'
import type { Database, RampDirection, RampRail } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'

/** Data of an account that an event needs. */
export interface BridgeAccount {
  readonly reference: string
  readonly asset: string
  readonly tokenDecimals: number
  readonly rail: RampRail
}

/** Our account with this reference, or `undefined`. Error: CHAIN_UNAVAILABLE if its chain is no longer configured. */
export async function findBridgeAccount(
  { db, chains }: { readonly db: Database; readonly chains: Chains },
  reference: string,
  direction: RampDirection,
): Promise<BridgeAccount | undefined> {
  const row = await db
    .selectFrom('ramp_accounts')
    .select(['asset', 'rail', 'blockchain', 'token_address'])
    .where('provider_reference', '=', reference)
    .where('direction', '=', direction)
    .executeTakeFirst()
  if (!row) return undefined
  const chain = [...chains.values()].find(({ network }) => network.blockchain === row.blockchain)
  const token = chain?.network.tokens.find(({ address }) => address === row.token_address)
  if (!token) throw new Failure('CHAIN_UNAVAILABLE')
  return { reference, asset: row.asset, tokenDecimals: token.decimals, rail: row.rail }
}
