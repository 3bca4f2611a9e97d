import type { EvmRun } from '../evm-run.ts'
import type { Treasury } from '../treasury/treasury.ts'
import { Violation } from '../violation.ts'
import { fromUnsigned } from '../world/raw.ts'

/** Runs at the very end. */
export async function checkAllEffects(run: EvmRun, treasury: Treasury): Promise<void> {
  const { rows } = await run.database.reader.query<{ tx_hash: string }>(
    'select tx_hash from transactions where organization_id = $1 and finalized_at is not null and tx_hash is not null',
    [treasury.organizationId],
  )
  checkEffects(run, treasury, new Set(rows.map(({ tx_hash }) => tx_hash)))
}

/** All landed bytes of agents are recorded exactly once, and no transaction had two effects. */
function checkEffects(run: EvmRun, treasury: Treasury, settled: ReadonlySet<string>): void {
  const { world } = run
  const landed = new Map<string, string>()
  for (const { transactions } of world.blocks.slice(0, world.final.number + 1)) {
    for (const { sender, nonce, to, data, hash } of transactions) landed.set([sender, nonce, to, data].join(' '), hash)
  }
  const byTransaction = Map.groupBy(treasury.issued.all(), ({ transaction }) => transaction.transactionId)
  for (const [transactionId, versions] of byTransaction) {
    const effects = new Set(
      versions.map(({ sender, bytes }) => {
        const { nonce, to, data } = fromUnsigned(bytes)
        return landed.get([sender, nonce, to, data].join(' '))
      }),
    )
    effects.delete(undefined)
    if (effects.size > 1)
      throw new Violation(`transaction ${transactionId} took effect twice: ${[...effects].join(' and ')}`)
    for (const hash of effects) {
      if (!settled.has(hash!))
        throw new Violation(`${hash} of transaction ${transactionId} landed, and was never settled`)
    }
  }
}
