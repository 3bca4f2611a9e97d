import { closeAllocationsOfLostChain, closeExitsOfLostChain, deleteEndedDays } from '../../../allocations/index.ts'
import { inTransaction, type Tx } from '../../../database/index.ts'
import { balancesOf, post, postings } from '../../../ledger/index.ts'
import { deleteRates } from '../../../venues/index.ts'
import { requestReconciliation, type Wallet, walletFrom } from '../../../wallets/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { fetchOperations, selectOperations } from '../../lifecycle/reads/read-operations.ts'
import { UNFINISHED } from '../../lifecycle/states/operation-states.ts'
import { advanceOperations } from '../../lifecycle/transitions/advance-operations.ts'
import { resetTransactions } from '../../lifecycle/transitions/advance-transactions-in-bulk.ts'
import { clearQuarantine } from '../blocks/quarantine.ts'

const EXPLANATION = 'The development chain restarted without its history.'

/**
 * Clears the state of a development chain that restarted without its history (a damaged or deleted state file). Ends
 * its operations, closes its allocations, posts its balances to external, and deletes its nonces and hashes, so every
 * wallet starts clean on the new chain. Never called for a public chain. Idempotent: the follower deletes its cursor
 * afterwards, so a process that dies in between does all of it again. Returns the number of wallets.
 */
export async function resetChain(parts: Parts, blockchain: string, genesisHash: string): Promise<number> {
  const wallets = await parts.db
    .selectFrom('wallets')
    .selectAll()
    .where('blockchain', '=', blockchain)
    .orderBy('id')
    .execute()
  for (const wallet of wallets.map(walletFrom)) {
    await inTransaction(parts.db, (tx) => resetWallet(tx, wallet, genesisHash, parts.clock.now()))
  }
  await inTransaction(parts.db, async (tx) => {
    await clearQuarantine(tx, blockchain)
    await deleteEndedDays(tx, blockchain)
    await tx.deleteFrom('chain_nonces').where('blockchain', '=', blockchain).execute()
    await tx.deleteFrom('transaction_hashes').where('blockchain', '=', blockchain).execute()
  })
  await deleteRates(parts.db, blockchain)
  return wallets.length
}

async function resetWallet(tx: Tx, wallet: Wallet, genesisHash: string, at: Date): Promise<void> {
  const { organizationId, walletId } = wallet
  await tx
    .selectFrom('wallets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', walletId)
    .forUpdate()
    .execute()
  const unfinished = await fetchOperations(
    selectOperations(tx)
      .where('operations.organization_id', '=', organizationId)
      .where('operations.wallet_id', '=', walletId)
      .where('operations.state', 'in', UNFINISHED),
  )
  const ended = await advanceOperations(
    tx,
    unfinished.map((operation) => ({
      operation,
      event: operation.state === 'CONFIRMING' ? 'chain_failed' : 'aborted',
      explanation: EXPLANATION,
    })),
    at,
  )
  await post(tx, ended.entries)
  await resetTransactions(tx, wallet, EXPLANATION)
  await closeExitsOfLostChain(tx, wallet, at)
  const lost = await closeAllocationsOfLostChain(tx, wallet, at)
  const entry = { organizationId, kind: 'chain_reset', at } as const
  // One entry for each position, so that an entry shows what it moved of a position.
  await post(
    tx,
    lost.map(({ strategyId, tokenAddress, value }) => ({
      ...entry,
      source: `chain_reset:${genesisHash}:${walletId}:${tokenAddress}:${strategyId}`,
      postings: postings(walletId, tokenAddress, { deployed: -value, external: value }),
    })),
  )
  await post(
    tx,
    (await balancesOf(tx, wallet)).map(({ tokenAddress, available, reserved, deployed, exiting }) => ({
      ...entry,
      source: `chain_reset:${genesisHash}:${walletId}:${tokenAddress}`,
      postings: postings(walletId, tokenAddress, {
        available: -available,
        reserved: -reserved,
        deployed: -deployed,
        exiting: -exiting,
        external: available + reserved + deployed + exiting,
      }),
    })),
  )
  await requestReconciliation(tx, wallet)
}
