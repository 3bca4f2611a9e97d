import { type DatabaseReport, LeaseLostError } from '../../src/database/index.ts'
import { expireOverdue } from '../../src/operations/index.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import type { Action } from './action.ts'
import { follow } from './requests.ts'

/**
 * Acknowledged writes of the last moments are gone: the follower's, expiries, and their events, which consumers have. No
 * client has been answered meanwhile. Once in a seed, because a new range of ids begins with each second of the real clock.
 */
export const GO_BACK: Action<SimulationRun> = {
  name: 'the database goes back in time',
  weight: 1,
  async act(run, random) {
    const { database, service, clock } = run
    if (run.lostEvents) return
    const before = await checkDatabase(run)
    const restore = await database.save()
    await checkDatabase(run)
    const first = service.process
    const after = await lastEvent(run)
    for (let round = random.between(1, 3); round > 0; round -= 1) {
      run.mineToFinal()
      await follow(run)
      await run.request('expire', () => expireOverdue(service.parts))
    }
    const until = await lastEvent(run)
    // What they lost, nobody can say who does not remember: an operator restores the database and starts new processes.
    const isRestored = service.process !== first || random.chance(0.3)
    await restore()
    run.isDirty = true
    run.lostEvents = { after, until }
    run.record(
      `  the database lost events ${after + 1} to ${until}${isRestored ? ', and is restored by an operator' : ''}`,
    )
    if (isRestored) {
      const found = { name: 'restored', text: `update database_history set place = 'restored', lost_at = $1` }
      await database.reader.query({ ...found, values: [clock.now()] })
      service.restart()
    }
    await database.endSessions(isRestored ? 'a new process' : 'the same process')
    const report = await checkDatabase(run)
    if (report.lostAt === undefined || report.epoch <= before.epoch)
      throw new Violation(`the database went back in time, and its state of epoch ${report.epoch} does not say so`)
    if (random.chance(0.3)) await followOn(run)
    service.process.loseLease()
  },
}

/** A round that is under way goes on from what it remembers, which is later than what the database has. */
async function followOn(run: SimulationRun): Promise<void> {
  run.mineToFinal()
  await run.request('follow on', async () => {
    try {
      await run.service.round(new AbortController().signal)
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error
      run.record('  the follower notices that the database is elsewhere')
    }
  })
}

/** What every process does every few seconds; after an outage, until the database responds. */
async function checkDatabase(run: SimulationRun): Promise<DatabaseReport> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const report = await run.request('check the database', () => run.service.process.health.check())
    if (report?.isWritable) return report
  }
  throw new Violation('the database acknowledges no writes')
}

async function lastEvent({ database }: SimulationRun): Promise<number> {
  const { rows } = await database.reader.query<{ id: number }>('select coalesce(max(id), 0) as id from outbox')
  return Number(rows[0]!.id)
}
