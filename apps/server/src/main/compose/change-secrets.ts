import type { ChangeParts } from '../../changes/index.ts'
import { createSealer, type RandomSource, reportingSealer, type UnreadableValues } from '../../kernel/index.ts'
import type { ServiceSecrets } from '../../secrets/index.ts'
import type { KeyRings } from '../keys/key-rings.ts'

/** What seals and recognizes change requests. */
export function changeSecretsOf(
  { encryption, service }: Pick<KeyRings, 'encryption'> & { readonly service: ServiceSecrets },
  random: RandomSource,
  unreadable?: UnreadableValues,
): Pick<ChangeParts, 'sealer' | 'fingerprintKey'> {
  const sealer = reportingSealer(createSealer(encryption, 'change requests', random), unreadable)
  return { sealer, fingerprintKey: service.blindIndex }
}
