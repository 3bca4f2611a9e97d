import {
  CreateAliasCommand,
  CreateKeyCommand,
  DescribeKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  KMSServiceException,
  NotFoundException,
  paginateListAliases,
  SignCommand,
} from '@aws-sdk/client-kms'
import { compactOfDer, proofPayload } from '../../sign/index.ts'
import {
  type CreateKeyRequest,
  type Family,
  type Signer,
  SignerRefused,
  SignerUnavailable,
  type SignRequest,
} from '../port.ts'
import { addressOfPublicKey } from './public-key.ts'

/** The alias prefix of the agent's keys. It ignores other keys in the account. */
const ALIAS = 'alias/weir/'
const SPECS = { evm: 'ECC_SECG_P256K1', svm: 'ECC_NIST_EDWARDS25519' } as const
const LONGEST_LABEL = 8_192

interface KmsKey {
  readonly family: Family
  readonly address: string
  readonly keyId: string
}

/** Permanent errors: the key may not be used, or is of the wrong kind. */
const FINAL = new Set([
  'AccessDeniedException',
  'DisabledException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'NotFoundException',
  'UnsupportedOperationException',
  'ValidationException',
])

/** AWS KMS: keys never leave it. The vendor's SDK finds the credentials as it documents. */
export function createKmsSigner(at: { readonly region: string; readonly endpoint: string | undefined }): Signer {
  const client = new KMSClient({ region: at.region, ...(at.endpoint && { endpoint: at.endpoint }) })
  const known = new Map<string, KmsKey>()
  const looked = new Set<string>()

  async function call<Result>(ask: Promise<Result>): Promise<Result> {
    try {
      return await ask
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const isFinal = error instanceof KMSServiceException && FINAL.has(error.name)
      const sentence = `the key service: ${error.name}: ${error.message}`
      throw isFinal ? new SignerRefused(sentence) : new SignerUnavailable(sentence)
    }
  }

  async function read(keyId: string): Promise<KmsKey | undefined> {
    const { PublicKey, KeySpec } = await call(client.send(new GetPublicKeyCommand({ KeyId: keyId })))
    const family = (['evm', 'svm'] as const).find((one) => SPECS[one] === KeySpec)
    if (family === undefined || PublicKey === undefined) return undefined
    const key = { family, keyId, address: addressOfPublicKey(family, PublicKey) }
    known.set(key.address, key)
    return key
  }

  /** Reads the keys behind new aliases. */
  async function look(): Promise<void> {
    const pages = paginateListAliases({ client, pageSize: 100 }, {})
    const targets: string[] = []
    await call(
      (async () => {
        for await (const { Aliases = [] } of pages) {
          for (const { AliasName = '', TargetKeyId } of Aliases) {
            if (AliasName.startsWith(ALIAS) && TargetKeyId && !looked.has(TargetKeyId)) targets.push(TargetKeyId)
          }
        }
      })(),
    )
    for (const keyId of targets) {
      await read(keyId)
      looked.add(keyId)
    }
  }

  async function find(address: string): Promise<KmsKey | undefined> {
    if (!known.has(address)) await look()
    return known.get(address)
  }

  async function existing(alias: string): Promise<string | undefined> {
    const described = client.send(new DescribeKeyCommand({ KeyId: alias })).catch((error: unknown) => {
      if (error instanceof NotFoundException) return undefined
      throw error
    })
    return (await call(described))?.KeyMetadata?.KeyId
  }

  /** A crash between creating the key and its alias leaves an unused key; the next attempt creates another. */
  async function create({ family, label, reference }: CreateKeyRequest, alias: string): Promise<string> {
    const created = await call(
      client.send(
        new CreateKeyCommand({
          KeySpec: SPECS[family],
          KeyUsage: 'SIGN_VERIFY',
          Description: label.slice(0, LONGEST_LABEL),
          Tags: [{ TagKey: 'weir-reference', TagValue: reference }],
        }),
      ),
    )
    const keyId = created.KeyMetadata?.KeyId
    if (keyId === undefined) throw new SignerUnavailable('the key service created a key without an id')
    await call(client.send(new CreateAliasCommand({ AliasName: alias, TargetKeyId: keyId })))
    return keyId
  }

  async function signPayload({ address, family, payload }: Pick<SignRequest, 'address' | 'family' | 'payload'>) {
    const key = await find(address)
    if (key?.family !== family) throw new SignerRefused(`the key service holds no key of ${address}`)
    const how =
      family === 'evm'
        ? ({ MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' } as const)
        : ({ MessageType: 'RAW', SigningAlgorithm: 'ED25519_SHA_512' } as const)
    const { Signature } = await call(client.send(new SignCommand({ KeyId: key.keyId, Message: payload, ...how })))
    if (Signature === undefined) throw new SignerUnavailable('the key service responded without a signature')
    return family === 'evm' ? compactOfDer(Signature) : Signature
  }

  return {
    kind: 'kms',
    holds: async (address) => (await find(address)) !== undefined,
    sign: signPayload,
    prove: ({ address, family, challenge }) =>
      signPayload({ address, family, payload: proofPayload(family, challenge) }),
    async createKey(request) {
      const alias = `${ALIAS}${request.reference}`
      const keyId = (await existing(alias)) ?? (await create(request, alias))
      const key = await read(keyId)
      if (key?.family !== request.family) throw new SignerRefused(`${alias} is a key of another kind`)
      return { address: key.address, keyId: key.keyId }
    },
  }
}
