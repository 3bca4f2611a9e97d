import { SETTLES_AGAIN_MS } from '../checks/quarantine.ts'
import type { SimulationRun } from '../simulation-run.ts'
import type { Action } from './action.ts'
import { follow } from './requests.ts'

/** Wallets that cannot be settled, for a while: they are quarantined, and everything else goes on. */
export const QUARANTINE: readonly Action<SimulationRun>[] = [
  {
    name: 'make a wallet’s settlement fail',
    weight: 2,
    async act(run, random) {
      const { rows } = await run.database.reader.query<{ id: number }>('select id::float8 from wallets order by id')
      const wallet = random.pick(rows)
      if (!wallet) return
      const statement = random.pick(['reconciliation', 'entry'] as const)
      run.record(`  wallet ${wallet.id}, at its ${statement}`)
      run.service.settlements.fail(wallet.id, statement)
    },
  },
  {
    name: 'let settlements succeed again',
    weight: 2,
    async act(run, random) {
      run.service.settlements.heal()
      // The next attempt may be due, or come an hour later.
      run.clock.advance(random.pick([1_000, 30_000, 600_000, SETTLES_AGAIN_MS]))
      await follow(run)
    },
  },
]
