import { loadKeyRings, readConfig } from '../config.ts'
import { createLog, systemClock, systemRandomSource } from '../kernel/index.ts'
import { eraseOrganizationData } from '../ramp/index.ts'
import { loadServiceSecrets } from '../secrets/index.ts'
import { fieldSealerOf } from './compose-ramp.ts'
import { openKeyRings } from './key-rings.ts'
import { withDatabase } from './with-database.ts'

/** Destroys the personal data of a deleted organization, and says so. */
export async function eraseOrganizationByCommand(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const [id = '', ...others] = args
  if (!/^[1-9]\d{0,14}$/.test(id) || others.length > 0) {
    throw new Error(`organization:erase takes the id of one deleted organization, not "${args.join(' ')}"`)
  }
  const config = readConfig(env)
  const keys = loadKeyRings(config)
  const isErased = await withDatabase(env, async (db) => {
    const parts = { db, clock: systemClock, random: systemRandomSource, log: createLog('warn') }
    const rings = await openKeyRings(parts, keys, { kms: config.encryptionKms, mayCreate: false })
    const service = await loadServiceSecrets(parts, rings.encryption)
    return eraseOrganizationData({ ...parts, fields: fieldSealerOf({ ...rings, service }, parts.random) }, Number(id))
  })
  say(isErased ? `organization ${id}: personal data destroyed` : `organization ${id}: was erased before`)
}
