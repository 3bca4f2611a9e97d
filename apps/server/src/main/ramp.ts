import type { Secrets } from '../config.ts'
import { createSealer } from '../kernel/index.ts'
import {
  createSandboxProvider,
  type HostedForm,
  hostedForm,
  noProvider,
  type RampParts,
  sandboxProviderParts,
} from '../ramp/index.ts'
import { createEmbeddedMoney, type SandboxParts } from '../sandbox/index.ts'

export interface RampStarted {
  readonly ramp: RampParts
  /** The form that the sandbox's provider hosts. */
  readonly kybForm: HostedForm | undefined
}

/** The ramp with the provider behind it: in the sandbox the one that is built in. */
export function rampParts(
  common: Omit<RampParts, 'provider' | 'sealer'>,
  secrets: Pick<Secrets, 'encryption'>,
  sandbox: SandboxParts | undefined,
): RampStarted {
  const sealer = createSealer(secrets.encryption, 'ramp accounts', common.random)
  if (!sandbox) return { ramp: { ...common, sealer, provider: noProvider() }, kybForm: undefined }
  const { db, clock, log, random } = common
  const money = createEmbeddedMoney(sandbox)
  const behind = sandboxProviderParts({ db, clock, log, random, money, encryptionKey: secrets.encryption })
  const ramp: RampParts = { ...common, sealer, provider: createSandboxProvider(behind) }
  return { ramp, kybForm: hostedForm(ramp, behind) }
}
