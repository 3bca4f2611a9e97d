import type { Logger } from 'pino'
import type { ServiceError } from '../service/service-error.ts'

/** The service does not take the API key, and never did: nothing but another key helps. */
class ApiKeyRejected extends Error {
  override readonly name = 'KeyRefused'
}

/**
 * Tells how polls end. The returned function makes a listener for one of the loops that poll with the same key: it throws
 * {@link ApiKeyRejected} when the key is denied before the service ever took it. A key that is denied later may be let in
 * again: that is logged once a try, by the loop that met it first.
 */
export function watchApiKey({ url, log }: { readonly url: string; readonly log: Pick<Logger, 'warn'> }) {
  let wasTaken = false
  let teller: string | undefined

  return (loop: string) => (error: ServiceError | undefined) => {
    if (error === undefined) {
      wasTaken = true
      teller = undefined
      return
    }
    if (!error.isDenied) return log.warn({ code: error.code, err: error.message }, 'the service did not hand out work')
    const sentence = `WEIR_API_KEY (or WEIR_API_KEY_FILE) must be an organization key that ${url} takes; it answers ${error.status} ${error.code}: ${error.message}`
    if (!wasTaken) throw new ApiKeyRejected(sentence)
    teller ??= loop
    if (teller === loop) log.warn({ code: error.code, err: sentence }, 'the service refuses the API key')
  }
}
