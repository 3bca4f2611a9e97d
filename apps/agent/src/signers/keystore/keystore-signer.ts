import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Signer, SignerRefused } from '../port.ts'
import { seal, unseal } from './envelope.ts'
import { type KeyFile, readKeyFile, writeKeyFile } from './key-file.ts'
import { addressOf, newSecret, signWith } from './keys.ts'

/**
 * Keys in a folder of this machine, encrypted under one passphrase. Files that are put there while the agent runs are
 * found when their address is asked for. Throws, naming the file, when one cannot be read.
 */
export function createKeystoreSigner(dir: string, passphrase: string): Signer {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  let files = readAll(dir)
  /** Opened keys stay in memory: opening one is made slow on purpose. */
  const opened = new Map<string, Promise<Uint8Array>>()

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
    if (addressOf(file.family, secret) !== file.address) {
      throw new SignerRefused(`the key file of ${file.address} holds the key of another address`)
    }
    return secret
  }

  return {
    kind: 'keystore',
    holds: async (address) => find(address) !== undefined,
    async sign({ address, family, payload }) {
      const file = find(address)
      if (file?.family !== family) throw new SignerRefused(`there is no key of ${address} here`)
      const secret = opened.get(address) ?? open(file)
      opened.set(address, secret)
      return signWith(family, await secret, payload)
    },
    async createKey({ family, label, reference }) {
      const made = [...files.values()].find((file) => file.reference === reference)
      if (made) return { address: made.address, keyId: `keystore:${made.address}` }
      const secret = newSecret(family)
      const address = addressOf(family, secret)
      writeKeyFile(dir, await seal(secret, passphrase), { family, address, label, reference })
      files = readAll(dir)
      return { address, keyId: `keystore:${address}` }
    },
  }
}

function readAll(dir: string): Map<string, KeyFile> {
  const names = readdirSync(dir).filter((name) => name.endsWith('.json'))
  const files = names.map((name) => readKeyFile(join(dir, name)))
  return new Map(files.map((file) => [file.address, file]))
}
