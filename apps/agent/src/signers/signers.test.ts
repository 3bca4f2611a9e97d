import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { type Hex, recoverMessageAddress, serializeTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type KeyService, startKeyService } from '../../testing/key-service.ts'
import { type ReferenceSigner, startReferenceSigner } from '../../testing/reference-signer.ts'
import { systemClock } from '../clock.ts'
import { evmDigest, evmSigned, proofSignature, solanaMessage, solanaSigned } from '../sign/index.ts'
import { createHttpSigner, createKeystoreSigner, createKmsSigner, type Signer } from './index.ts'
import { addressOf, newSecret } from './keystore/keys.ts'

const SECRET = 'a secret of more than thirty-two characters'
const EVM = serializeTransaction({
  type: 'eip1559',
  chainId: 31338,
  nonce: 1,
  gas: 90_000n,
  maxFeePerGas: 5n,
  to: '0x52908400098527886E0F7030069857D2E4169EE7',
})
const dir = mkdtempSync(join(tmpdir(), 'weir-signers-'))
const never = new AbortController().signal
let http: ReferenceSigner
let kms: KeyService
let signers: Readonly<Record<string, Signer>>

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  http = await startReferenceSigner(SECRET, '/custody/v1')
  kms = await startKeyService()
  signers = {
    keystore: createKeystoreSigner(join(dir, 'keys'), 'open sesame'),
    http: createHttpSigner({ url: http.url, secret: SECRET, clock: systemClock }),
    kms: createKmsSigner({ region: 'eu-central-1', endpoint: kms.url }),
  }
})
afterEach(() => {
  Object.assign(http, { undecided: 0, always: undefined, secret: SECRET })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([http.close(), kms.close()])
  rmSync(dir, { recursive: true })
})

function request(family: 'evm' | 'svm', address: string, payload: Uint8Array) {
  return {
    blockchain: family === 'evm' ? 'polygon' : 'solana',
    family,
    address,
    payload,
    unsigned: 'the unsigned bytes',
    transactionId: 5,
    operationId: 3,
    meaning: { does: 'supply', amount: '5' },
    approvedBy: [],
  }
}
const create = (signer: Signer, family: 'evm' | 'svm', reference: string) =>
  signer.createKey({ blockchain: family === 'evm' ? 'polygon' : 'solana', family, label: 'Treasury', reference })

/** A message that starts like Solana's, with room for one signature before it. */
function solanaBytes(): string {
  return Buffer.concat([Buffer.of(1), Buffer.alloc(64), Buffer.from('the message that is signed')]).toString('base64')
}

describe.each(['keystore', 'http', 'kms'])('a signer of kind %s', (kind) => {
  test('creates one key per reference, and its signatures are valid on the network', async () => {
    const signer = signers[kind]!
    for (let round = 0; round < 2; round++) {
      const { address, keyId } = await create(signer, 'evm', `${kind}-evm-${round}`)
      expect(await create(signer, 'evm', `${kind}-evm-${round}`)).toEqual({ address, keyId })
      expect(await signer.holds(address)).toBe(true)
      const digest = Buffer.from(evmDigest(EVM).slice(2), 'hex')
      const signature = await signer.sign(request('evm', address, digest), never)
      expect((await evmSigned(EVM, signature, address)).hash).toMatch(/^0x[0-9a-f]{64}$/)
    }
  })

  test('does the same with Solana keys', async () => {
    const signer = signers[kind]!
    const { address, keyId } = await create(signer, 'svm', `${kind}-svm`)
    expect(await create(signer, 'svm', `${kind}-svm`)).toEqual({ address, keyId })
    expect(await signer.holds(address)).toBe(true)
    const bytes = solanaBytes()
    const signature = await signer.sign(request('svm', address, solanaMessage(bytes)), never)
    expect(solanaSigned(bytes, signature, address).raw).not.toBe(bytes)
  })

  test('proves its keys by signing a challenge, and refuses for an unknown address', async () => {
    const signer = signers[kind]!
    const challenge = 'Weir: a challenge.\nWith two lines'
    for (const family of ['evm', 'svm'] as const) {
      const blockchain = family === 'evm' ? 'polygon' : 'solana'
      const { address } = await create(signer, family, `${kind}-${family}-proof`)
      const proof = { blockchain, family, address, challenge }
      const signature = await proofSignature(proof, await signer.prove(proof))
      if (family === 'evm') {
        expect(await recoverMessageAddress({ message: challenge, signature: signature as Hex })).toBe(address)
      } else expect(base58.decode(signature)).toHaveLength(64)
      const stranger = addressOf(family, newSecret(family))
      await expect(proofSignature({ ...proof, address: stranger }, await signer.prove(proof))).rejects.toThrow(stranger)
      const asked = signer.prove({ ...proof, address: stranger })
      await expect(asked).rejects.toMatchObject({ name: 'SignerRefused' })
    }
  })

  test('has no key for an unknown address, and refuses to sign for one', async () => {
    const stranger = addressOf('evm', newSecret('evm'))
    expect(await signers[kind]!.holds(stranger)).toBe(false)
    const asked = signers[kind]!.sign(request('evm', stranger, new Uint8Array(32)), never)
    await expect(asked).rejects.toMatchObject({ name: 'SignerRefused' })
  })
})

describe('the local keystore', () => {
  const folder = join(dir, 'keys')

  test('writes encrypted keys for its owner alone, in the format that other wallets open', async () => {
    const { address } = await create(signers.keystore!, 'evm', 'form')
    const path = join(folder, `${address}.json`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const written = JSON.parse(readFileSync(path, 'utf8'))
    expect(written).toMatchObject({
      version: 3,
      address: address.slice(2).toLowerCase(),
      crypto: { cipher: 'aes-128-ctr', kdf: 'scrypt', kdfparams: { n: 131_072, r: 8, p: 1, dklen: 32 } },
    })
    expect(readdirSync(folder).every((name) => name.endsWith('.json'))).toBe(true)
  })

  test('seals new keys lightly where it is asked to, and opens both kinds', async () => {
    const light = createKeystoreSigner(folder, 'open sesame', 'light')
    const { address } = await create(light, 'evm', 'light')
    const written = JSON.parse(readFileSync(join(folder, `${address}.json`), 'utf8'))
    expect(written.crypto.kdfparams).toMatchObject({ n: 4_096, r: 8, p: 6, dklen: 32 })
    const again = createKeystoreSigner(folder, 'open sesame')
    const digest = Buffer.from(evmDigest(EVM).slice(2), 'hex')
    expect((await again.sign(request('evm', address, digest), never)).length).toBe(64)
  })

  test('opens its keys after a restart, and finds files that were added meanwhile', async () => {
    const { address } = await create(signers.keystore!, 'evm', 'restart')
    const again = createKeystoreSigner(folder, 'open sesame')
    const digest = Buffer.from(evmDigest(EVM).slice(2), 'hex')
    expect((await again.sign(request('evm', address, digest), never)).length).toBe(64)
    const { address: later } = await create(signers.keystore!, 'evm', 'later')
    expect(await again.holds(later)).toBe(true)
  })

  test('refuses a wrong passphrase and does not reveal the right one', async () => {
    const { address } = await create(signers.keystore!, 'evm', 'wrong')
    const wrong = createKeystoreSigner(folder, 'open barley')
    const asked = wrong.sign(request('evm', address, new Uint8Array(32)), never)
    await expect(asked).rejects.toThrow(`the passphrase does not open the key of ${address}`)
  })

  test('a passphrase that opens none of the keys is reported with its setting, and seals no new key', async () => {
    const shared = join(dir, 'shared')
    const right = createKeystoreSigner(shared, 'open sesame', 'light')
    await expect(right.checkPassphrase()).resolves.toBeUndefined()
    const { address } = await create(right, 'evm', 'shared-1')
    await expect(right.checkPassphrase()).resolves.toBeUndefined()
    const wrong = createKeystoreSigner(shared, 'open barley')
    const sentence = `KEYSTORE_PASSPHRASE (or KEYSTORE_PASSPHRASE_FILE) does not open the key of ${address} in ${shared}`
    await expect(wrong.checkPassphrase()).rejects.toThrow(sentence)
    await expect(create(wrong, 'svm', 'shared-2')).rejects.toMatchObject({ name: 'SignerRefused', message: sentence })
    expect(readdirSync(shared)).toEqual([`${address}.json`])
    // An existing key is still found: nothing is sealed for it.
    expect(await create(wrong, 'evm', 'shared-1')).toMatchObject({ address })
  })

  test('a key file that is repaired while the agent runs opens without a restart', async () => {
    const fixed = join(dir, 'fixed')
    const signer = createKeystoreSigner(fixed, 'open sesame', 'light')
    const { address } = await create(signer, 'evm', 'fixed')
    const path = join(fixed, `${address}.json`)
    const good = readFileSync(path, 'utf8')
    const bad = JSON.parse(good)
    bad.crypto.mac = '0'.repeat(64)
    writeFileSync(path, JSON.stringify(bad))
    const again = createKeystoreSigner(fixed, 'open sesame', 'light')
    const digest = Buffer.from(evmDigest(EVM).slice(2), 'hex')
    await expect(again.sign(request('evm', address, digest), never)).rejects.toThrow('does not open')
    writeFileSync(path, good)
    expect((await again.sign(request('evm', address, digest), never)).length).toBe(64)
  })

  test('opens the test vector of the format', async () => {
    const vectors = join(dir, 'vectors')
    const signer = createKeystoreSigner(vectors, 'testpassword')
    const address = '008aeeda4d805471df9b2a5b0f38a0c3bcba786b'
    const pbkdf2 = {
      address,
      version: 3,
      id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
      crypto: {
        cipher: 'aes-128-ctr',
        ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
        cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
        kdf: 'pbkdf2',
        kdfparams: {
          c: 262_144,
          dklen: 32,
          prf: 'hmac-sha256',
          salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
        },
        mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
      },
    }
    writeFileSync(join(vectors, 'pbkdf2.json'), JSON.stringify(pbkdf2))
    const signed = await signer.sign(
      request('evm', '0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b', Buffer.from(evmDigest(EVM).slice(2), 'hex')),
      never,
    )
    await expect(evmSigned(EVM, signed, '0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b')).resolves.toBeDefined()
  })

  test('accepts a keypair of Solana’s tools if nobody else can read it', async () => {
    const bare = join(dir, 'bare')
    const signer = createKeystoreSigner(bare, 'unused')
    const secret = newSecret('svm')
    const address = addressOf('svm', secret)
    const path = join(bare, 'id.json')
    writeFileSync(path, JSON.stringify([...secret, ...new Uint8Array(32)]), { mode: 0o600 })
    const bytes = solanaBytes()
    const signature = await signer.sign(request('svm', address, solanaMessage(bytes)), never)
    expect(solanaSigned(bytes, signature, address).hash.length).toBeGreaterThan(80)
    chmodSync(path, 0o644)
    expect(() => createKeystoreSigner(bare, 'unused')).toThrow('others can read')
    chmodSync(path, 0o600)
    writeFileSync(path, '{"version": 1}')
    expect(() => createKeystoreSigner(bare, 'unused')).toThrow('is not a key file')
  })
})

describe('the signer behind HTTP', () => {
  const askFor = async (signal = never) => {
    const { address } = await create(signers.http!, 'evm', 'http-more')
    return () => signers.http!.sign(request('evm', address, Buffer.from(evmDigest(EVM).slice(2), 'hex')), signal)
  }

  test('is polled while a person decides, and receives the verified meaning', async () => {
    const ask = await askFor()
    http.undecided = 2
    expect((await ask()).length).toBe(64)
    expect(http.requests.slice(-3).map(({ path }) => path)).toEqual(['/sign', '/sign', '/sign'])
    expect(http.requests.at(-1)!.body).toMatchObject({
      transactionId: 5,
      operationId: 3,
      unsigned: 'the unsigned bytes',
      meaning: { does: 'supply', amount: '5' },
      approvedBy: [],
    })
  })

  test('is not polled after the lease is lost', async () => {
    const lost = new AbortController()
    const ask = await askFor(lost.signal)
    http.undecided = 1_000
    const asked = ask()
    lost.abort()
    await expect(asked).rejects.toMatchObject({ name: 'SignerUnavailable' })
  })

  test('refuses permanently with 403 or 422, and temporarily with anything else', async () => {
    const ask = await askFor()
    http.always = { status: 403, body: { error: 'over the daily limit' } }
    await expect(ask()).rejects.toThrow('the signer refused: over the daily limit')
    http.always = { status: 503, body: { error: 'sealed' } }
    await expect(ask()).rejects.toMatchObject({ name: 'SignerUnavailable' })
  })

  test('is not trusted without the secret, whatever it returns', async () => {
    const ask = await askFor()
    http.secret = 'another secret of more than thirty-two characters'
    await expect(ask()).rejects.toThrow('does not know SIGNER_SECRET')
    const stranger = createHttpSigner({ url: http.url, secret: http.secret, clock: systemClock })
    await expect(stranger.holds('0x')).rejects.toMatchObject({ name: 'SignerUnavailable' })
  })

  test('that is unavailable is tried again later', async () => {
    const gone = createHttpSigner({ url: 'http://127.0.0.1:1', secret: SECRET, clock: systemClock })
    await expect(gone.holds('0x')).rejects.toMatchObject({ name: 'SignerUnavailable' })
  })
})

describe('the key service', () => {
  test('requests the public key of an address once, and the list only for an unknown one', async () => {
    const { address } = await create(signers.kms!, 'evm', 'counted')
    const fresh = createKmsSigner({ region: 'eu-central-1', endpoint: kms.url })
    expect(await fresh.holds(address)).toBe(true)
    kms.calls.length = 0
    const digest = Buffer.from(evmDigest(EVM).slice(2), 'hex')
    await fresh.sign(request('evm', address, digest), never)
    await fresh.sign(request('evm', address, digest), never)
    expect(kms.calls).toEqual(['Sign', 'Sign'])
  })

  test('ignores other keys in the account', async () => {
    const { keyId, address } = await create(signers.kms!, 'evm', 'renamed')
    kms.aliases.delete('alias/weir/renamed')
    kms.aliases.set('alias/billing', keyId)
    const fresh = createKmsSigner({ region: 'eu-central-1', endpoint: kms.url })
    expect(await fresh.holds(address)).toBe(false)
  })

  test('refuses permanently with a disabled key, and temporarily when the service fails', async () => {
    const { keyId, address } = await create(signers.kms!, 'evm', 'disabled')
    const digest = Buffer.from(evmDigest(EVM).slice(2), 'hex')
    kms.failNext = 'AccessDeniedException'
    const denied = signers.kms!.sign(request('evm', address, digest), never)
    await expect(denied).rejects.toMatchObject({
      name: 'SignerRefused',
      message: expect.stringContaining('AccessDenied'),
    })
    kms.keys.get(keyId)!.enabled = false
    const disabled = signers.kms!.sign(request('evm', address, digest), never)
    await expect(disabled).rejects.toMatchObject({ name: 'SignerRefused' })
    const gone = createKmsSigner({ region: 'eu-central-1', endpoint: 'http://127.0.0.1:1' })
    await expect(gone.holds(address)).rejects.toMatchObject({ name: 'SignerUnavailable' })
  })
})
