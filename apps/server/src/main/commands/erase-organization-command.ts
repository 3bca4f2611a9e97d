import { loadKeyRings, readConfig } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { eraseOrganization, requestErasureOfDeleted } from '../../identity/index.ts'
import { createLog, createSealer, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { erasureSteps } from '../compose/organization-erasure.ts'
import { openKeyRings } from '../keys/key-rings.ts'
import { openHostEvents } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

/** Destroys the personal data of a deleted organization, and reports the progress. */
export async function eraseOrganizationByCommand(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const [id = '', ...others] = args
  if (!/^[1-9]\d{0,14}$/.test(id) || others.length > 0) {
    throw new Error(`organization:erase takes the id of one deleted organization, not "${args.join(' ')}"`)
  }
  await withDatabase(env, (db) => erase(env, db, { organizationId: Number(id), say }))
}

async function erase(
  env: Readonly<Record<string, string | undefined>>,
  db: Database,
  { organizationId, say }: { readonly organizationId: number; readonly say: (line: string) => void },
): Promise<void> {
  const config = readConfig(env)
  const parts = { db, clock: systemClock, random: systemRandomSource, log: createLog('warn') }
  const rings = await openKeyRings(parts, loadKeyRings(config), { kms: config.encryptionKms, mayCreate: false })
  const sealer = createSealer(rings.encryption, 'change requests', parts.random)
  const recordEvent = await openHostEvents(env)
  await requestErasureOfDeleted(parts, organizationId)
  let steps = 0
  const { erased } = await eraseOrganization({ ...parts, steps: erasureSteps({ sealer }) }, organizationId, (now) => {
    if (now.step === null) return
    steps += 1
    say(`organization ${organizationId}: next ${now.step}`)
  })
  if (steps === 0) {
    say(`organization ${organizationId}: already erased`)
    return
  }
  for (const [name, rows] of Object.entries(erased)) say(`organization ${organizationId}: ${name} ${rows} rows`)
  say(`organization ${organizationId}: personal data destroyed`)
  await recordEvent(db, { type: 'organization_erased', organizationId })
}
