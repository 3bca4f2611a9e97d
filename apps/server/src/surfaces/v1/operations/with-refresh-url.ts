import { Failure } from '../../../kernel/index.ts'

/**
 * Runs a submission. If its bytes are stale, makes `details.refresh` of the error the absolute URL of new ones
 * (contract 4; contract 2: every URL in a response begins with PUBLIC_URL).
 */
export async function withRefreshUrl<T>(publicUrl: string, submit: () => Promise<T>): Promise<T> {
  try {
    return await submit()
  } catch (error) {
    if (!(error instanceof Failure) || typeof error.details?.refresh !== 'string') throw error
    const { code, message, details } = error
    throw new Failure(code, { message, details: { ...details, refresh: publicUrl + details.refresh }, cause: error })
  }
}
