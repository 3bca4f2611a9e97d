export { authenticateBearer } from './authenticate-bearer.ts'
export { authenticateKey, type KeyCheck } from './authenticate-key.ts'
export {
  type Credential,
  type KeyCredential,
  type RaisedLimits,
  type Sight,
  sightOf,
  type UserCredential,
} from './credential.ts'
export { type ApiKey, type GeneratedKey, generateKey, type KeyRequest } from './generate-key.ts'
export { holdProfile } from './hold-profile.ts'
export type { WalletProfile } from './insert-profile.ts'
export { KeyUsage } from './key-usage.ts'
export type { Environment, Finish, IdentityParts, IdentitySecrets } from './parts.ts'
export { type Registration, register } from './register.ts'
export type { Account, SignedIn } from './session.ts'
