export { type KeyGaps, registerKeys } from './register-keys.ts'
export { loadServiceSecrets, type ServiceSecrets } from './service-secrets.ts'
