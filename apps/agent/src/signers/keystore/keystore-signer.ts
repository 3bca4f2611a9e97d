import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { proofPayload } from '../../sign/index.ts'
import { type Signer, SignerRefused } from '../port.ts'
import { type KeyDerivation, seal, unseal } from './envelope.ts'
import { type KeyFile, readKeyFile, writeKeyFile } from './key-file.ts'
import { addressOf, newSecret, signWith } from './keys.ts'

export interface KeystoreSigner extends Signer {
  /**
   * Checks the passphrase by opening one key, because opening is slow. An empty folder accepts any passphrase. Throws
   * {@link SignerRefused} with a sentence that names the setting.
   */
  checkPassphrase(): Promise<void>
}

/**
 * Keys in a local folder, encrypted under one passphrase. Files added while the agent runs are found when their address
 * is needed. Throws, naming the file, when one cannot be read. `derivation` is for new keys: a file says how it was sealed.
 */
export function createKeystoreSigner(
  dir: string,
  passphrase: string,
  derivation: KeyDerivation = 'standard',
): KeystoreSigner {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  let files = readAll(dir)
  /** Opened keys stay in memory: opening is slow by design. */
  const opened = new Map<string, Promise<Uint8Array>>()
  /** Checksums of the envelopes that the passphrase opens, so that each is checked once. */
  const proven = new Set<string>()

  function find(address: string): KeyFile | undefined {
    const found = files.get(address)
    if (found) return found
    files = readAll(dir)
    return files.get(address)
  }

  async function open(file: KeyFile): Promise<Uint8Array> {
    if ('secret' in file) return file.secret
    const secret = await unseal(file.sealed, passphrase).catch(() => {
      throw new SignerRefused(`the passphrase does not open the key of ${file.address}`)
    })
    proven.add(file.sealed.crypto.mac)
    if (addressOf(file.family, secret) !== file.address) {
      throw new SignerRefused(`the key file of ${file.address} holds the key of another address`)
    }
    return secret
  }

  /** A failed file is read again next time: somebody may have fixed it. */
  function secretOf(file: KeyFile): Promise<Uint8Array> {
    const known = opened.get(file.address)
    if (known) return known
    const secret = open(file)
    opened.set(file.address, secret)
    secret.catch(() => {
      opened.delete(file.address)
      files.delete(file.address)
    })
    return secret
  }

  async function checkPassphrase(): Promise<void> {
    files = readAll(dir)
    const one = sealedOne(files)
    if (one === undefined || proven.has(one.sealed.crypto.mac)) return
    await unseal(one.sealed, passphrase).catch(() => {
      const setting = 'KEYSTORE_PASSPHRASE (or KEYSTORE_PASSPHRASE_FILE)'
      throw new SignerRefused(`${setting} does not open the key of ${one.address} in ${dir}`)
    })
    proven.add(one.sealed.crypto.mac)
  }

  return {
    kind: 'keystore',
    checkPassphrase,
    holds: async (address) => find(address) !== undefined,
    async sign({ address, family, payload }) {
      const file = find(address)
      if (file?.family !== family) throw new SignerRefused(`there is no key of ${address} here`)
      return signWith(family, await secretOf(file), payload)
    },
    async prove({ address, family, challenge }) {
      const file = find(address)
      if (file?.family !== family) throw new SignerRefused(`there is no key of ${address} here`)
      return signWith(family, await secretOf(file), proofPayload(family, challenge))
    },
    async createKey({ family, label, reference }) {
      const made = [...files.values()].find((file) => file.reference === reference)
      if (made) return { address: made.address, keyId: `keystore:${made.address}` }
      // A key sealed under a different passphrase than the others would be lost at the next start.
      await checkPassphrase()
      const secret = newSecret(family)
      const address = addressOf(family, secret)
      const sealed = await seal(secret, passphrase, derivation)
      writeKeyFile(dir, sealed, { family, address, label, reference })
      proven.add(sealed.crypto.mac)
      files = readAll(dir)
      return { address, keyId: `keystore:${address}` }
    },
  }
}

function readAll(dir: string): Map<string, KeyFile> {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const files = names.map((name) => readKeyFile(join(dir, name)))
  return new Map(files.map((file) => [file.address, file]))
}

/** Always picks the same key: the first by file name, preferring those that actions created. */
function sealedOne(files: ReadonlyMap<string, KeyFile>): Extract<KeyFile, { sealed: unknown }> | undefined {
  const sealed = [...files.values()].filter((file) => 'sealed' in file)
  return sealed.find((file) => file.reference !== undefined) ?? sealed[0]
}
