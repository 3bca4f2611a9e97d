import type { Logger } from 'pino'
import type { Service } from '../service/client.ts'
import { ServiceError } from '../service/service-error.ts'

/**
 * Logs a warning if the key can do more than the agent needs: somebody who takes it from this machine could then plan
 * operations and read the organization's records. A service that does not say what the key may do is no problem.
 */
export async function warnOfOverprivilegedKey(
  service: Pick<Service, 'permissions'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  let permissions: readonly string[] | undefined
  try {
    permissions = await service.permissions()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
  const excess = permissions?.filter((permission) => permission !== 'agent') ?? []
  if (excess.length === 0) return
  log.warn({ permissions }, 'WEIR_API_KEY can do more than the agent needs: generate a key with the permission "agent"')
}
