import { pbkdf2, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { Bytes, Hex, Keystore } from 'ox'

/**
 * The usual scrypt parameters of keystore files. `standard`: a guess costs a good part of a second and 128 MB. `light`: a
 * fifth of the time and 4 MB, for a passphrase that nobody guesses.
 */
const SCRYPT = { standard: { n: 131_072, r: 8, p: 1 }, light: { n: 4_096, r: 8, p: 6 } } as const

export type KeyDerivation = keyof typeof SCRYPT

/** Encrypts a secret in Ethereum's JSON keystore format, version 3. */
export async function seal(
  secret: Uint8Array,
  passphrase: string,
  derivation: KeyDerivation,
): Promise<Keystore.Keystore> {
  const salt = randomBytes(32)
  const key = await scryptKey(passphrase, salt, SCRYPT[derivation])
  return Keystore.encrypt(Bytes.from(secret), key, {
    iv: Bytes.from(randomBytes(16)),
    kdf: 'scrypt',
    kdfparams: { ...SCRYPT[derivation], dklen: 32, salt: salt.toString('hex') },
  })
}

/** Decrypts a keystore from {@link seal} or another wallet. Throws when the passphrase is wrong. */
export async function unseal(keystore: Keystore.Keystore, passphrase: string): Promise<Uint8Array> {
  const { kdfparams } = keystore.crypto
  const salt = Buffer.from(kdfparams.salt, 'hex')
  // Node's own derivation is many times faster than JavaScript and runs off the main thread.
  const key =
    'n' in kdfparams
      ? await scryptKey(passphrase, salt, kdfparams)
      : Hex.from(await promisify(pbkdf2)(passphrase, salt, kdfparams.c, 32, 'sha256'))
  return Keystore.decrypt(keystore, key, { as: 'Bytes' })
}

async function scryptKey(passphrase: string, salt: Buffer, at: { n: number; r: number; p: number }): Promise<Hex.Hex> {
  const options = { N: at.n, r: at.r, p: at.p, maxmem: 256 * at.n * at.r + 1_024 * at.p * at.r }
  return Hex.from(await derive(passphrase, salt, options))
}

function derive(passphrase: string, salt: Buffer, options: { N: number; r: number; p: number; maxmem: number }) {
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(passphrase, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
