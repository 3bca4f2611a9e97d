import { sql } from 'kysely'
import type { Chains, Token } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { averageApy, type WeightedRate } from '../../kernel/index.ts'
import {
  findOperationalWallet,
  type OperationalWallet,
  requireConfiguredToken,
  selectWallets,
} from '../../wallets/index.ts'
import { presentValue } from '../positions/present-value.ts'

/** The holdings and earnings of one operational wallet in its token. Amounts in base units. */
export interface TokenPosition {
  readonly operationalWallet: OperationalWallet
  readonly address: string
  readonly blockchain: string
  readonly token: Token
  readonly available: bigint
  readonly allocated: bigint
  /** Available, reserved and allocated. */
  readonly total: bigint
  /** Realized and unrealized, since the start. */
  readonly yield: bigint
  /** The rate of what is allocated, weighted by value; a decimal fraction. */
  readonly currentApy: number
  readonly lastUpdated: Date
}

/** The position of an operational wallet; `undefined` if it is unknown or belongs to another organization. */
export async function getTokenPosition(
  { db, chains }: { db: Database; chains: Chains },
  reference: { organizationId: number; opWalletId: number },
): Promise<TokenPosition | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const operationalWallet = await findOperationalWallet(tx, reference)
      if (!operationalWallet) return undefined
      const { organizationId } = reference
      const { walletId, tokenAddress, updatedAt } = operationalWallet
      const scope = { organizationId, walletProfileId: null }
      const wallet = await selectWallets(tx, scope, { walletId })
        .leftJoin('ledger_balances', (join) =>
          join
            .onRef('ledger_balances.organization_id', '=', 'wallets.organization_id')
            .onRef('ledger_balances.wallet_id', '=', 'wallets.id')
            .on('ledger_balances.token_address', '=', tokenAddress),
        )
        .select(['wallets.address', 'wallets.blockchain'])
        .select([
          sql<bigint>`coalesce(ledger_balances.available, 0)`.as('available'),
          sql<bigint>`coalesce(ledger_balances.reserved, 0)`.as('reserved'),
          sql<bigint>`coalesce(ledger_balances.exiting, 0)`.as('exiting'),
          sql<bigint>`coalesce(-ledger_balances.yield, 0)`.as('earned'),
        ])
        .executeTakeFirstOrThrow()
      const positions = await tx
        .selectFrom('allocations')
        .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
        .select([
          'allocations.shares',
          'allocations.posted_price',
          'allocations.posted_at',
          'allocations.posted_value',
          'strategies.protocol',
          'strategies.price',
          'strategies.price_at',
          'strategies.apy',
        ])
        .where('allocations.organization_id', '=', organizationId)
        .where('allocations.wallet_id', '=', walletId)
        .where('allocations.status', '<>', 'CLOSED')
        .where('strategies.token_address', '=', tokenAddress)
        .execute()

      const sums = { allocated: 0n, yield: wallet.earned }
      const rates: WeightedRate[] = []
      let lastUpdated = updatedAt
      for (const row of positions) {
        const { value, at } = presentValue(row)
        sums.allocated += value
        sums.yield += value - row.posted_value
        rates.push({ apy: row.apy, value })
        if (at > lastUpdated) lastUpdated = at
      }
      const { address, blockchain, available, reserved, exiting } = wallet
      return {
        operationalWallet,
        address,
        blockchain,
        token: requireConfiguredToken(chains, blockchain, tokenAddress),
        available,
        ...sums,
        total: available + reserved + exiting + sums.allocated,
        currentApy: averageApy(rates),
        lastUpdated,
      }
    })
}
