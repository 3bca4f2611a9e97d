import { type Config, ConfigError } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { systemClock } from '../../kernel/index.ts'
import { addDataKey, connectAwsKms, useDataKey } from '../../secrets/index.ts'
import { attributeToKms } from './key-rings.ts'

export type DataKeyStep = '--new-data-key' | '--use-data-key'

/**
 * One step in replacing the data key. `--new-data-key` stores the next one, which only opens values; `--use-data-key`
 * makes it current. Processes take each step at their next start. Returns a line that says what comes next.
 */
export async function rotateDataKey(db: Database, kms: Config['encryptionKms'], step: DataKeyStep): Promise<string> {
  if (kms === undefined) throw new ConfigError([`ENCRYPTION_KMS_KEY_ID must be set for ${step}`])
  return await attributeToKms(async () => {
    const service = await connectAwsKms(kms)
    if (step === '--new-data-key') {
      const id = await addDataKey({ db, clock: systemClock, service })
      return id === undefined
        ? 'the newest data key is not in use yet: restart all processes, then run weir rotate-secrets --use-data-key'
        : `data key ${id} is stored: restart all processes, then run weir rotate-secrets --use-data-key`
    }
    const id = await useDataKey({ db, service })
    return `data key ${id} is current: restart all processes, then run weir rotate-secrets`
  })
}
