import type { Config } from '../../config.ts'
import { createSealer, type RandomSource, reportingSealer, type UnreadableValues } from '../../kernel/index.ts'
import {
  createBridgeProvider,
  createDisabledProvider,
  createFieldSealer,
  createSandboxProvider,
  type HostedForm,
  hostedForm,
  type RampParts,
  sandboxProviderParts,
} from '../../ramp/index.ts'
import { createTokenSender, type SandboxParts } from '../../sandbox/index.ts'
import type { ServiceSecrets } from '../../secrets/index.ts'
import type { KeyRings } from '../keys/key-rings.ts'

export interface ComposedRamp {
  readonly ramp: RampParts
  /** The form that the sandbox's provider hosts. */
  readonly kybForm: HostedForm | undefined
}

/** The keys that seal, and what other stored values follow from. */
export interface RampSecrets extends Pick<KeyRings, 'encryption'> {
  readonly service: ServiceSecrets
  /** Learns of values that do not open. */
  readonly unreadable?: UnreadableValues
}

export function fieldSealerOf(
  { encryption, service, unreadable }: RampSecrets,
  random: RandomSource,
): RampParts['fields'] {
  const acceptsClear = service.clearFields === 'accepted'
  return createFieldSealer({
    encryptionKeys: encryption,
    indexKey: service.blindIndex,
    random,
    acceptsClear,
    unreadable,
  })
}

/** Composes the ramp with the configured provider. */
export function composeRamp(
  uncomposed: Omit<RampParts, 'provider' | 'sealer' | 'fields'>,
  secrets: RampSecrets,
  sandbox: SandboxParts | undefined,
  chosen: Config['ramp'] = { provider: 'sandbox' },
): ComposedRamp {
  const { random } = uncomposed
  const fields = fieldSealerOf(secrets, random)
  const common = { ...uncomposed, fields }
  const sealer = reportingSealer(createSealer(secrets.encryption, 'ramp accounts', random), secrets.unreadable)
  if (chosen.provider === 'bridge') {
    const { db, clock, log, chains } = common
    const { provider: _chosen, ...settings } = chosen
    const keys = { encryptionKeys: secrets.encryption, fingerprintKey: secrets.service.bridgeFingerprints }
    const options = { db, clock, log, random, chains, settings, ...keys, unreadable: secrets.unreadable }
    return { ramp: { ...common, sealer, provider: createBridgeProvider(options) }, kybForm: undefined }
  }
  if (chosen.provider === 'none' || !sandbox) {
    return { ramp: { ...common, sealer, provider: createDisabledProvider() }, kybForm: undefined }
  }
  const { db, clock, log } = common
  const tokenSender = createTokenSender(sandbox)
  const keys = { encryptionKeys: secrets.encryption, rootKey: secrets.service.sandboxProvider }
  const behind = sandboxProviderParts({ db, clock, log, random, tokenSender, ...keys })
  const ramp: RampParts = { ...common, sealer, provider: createSandboxProvider(behind) }
  return { ramp, kybForm: hostedForm(ramp, behind) }
}
