import type { Credentials } from './client.ts'

/** A person's session on the core surface. */
export interface People {
  get<Data>(path: string): Promise<Data>
  post<Data>(path: string, body?: unknown): Promise<Data>
  put<Data>(path: string, body: unknown): Promise<Data>
  delete(path: string): Promise<void>
}

/** Logs in. Responses come without their envelope; a refusal throws an error with the service's response. */
export async function logIn({ baseUrl, email, password }: Credentials): Promise<People> {
  async function call<Data>(method: string, path: string, body: unknown, token?: string): Promise<Data> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data: Data; code?: string; message?: string }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.code} ${answer.message}`)
    return answer.data
  }
  const { accessToken } = await call<{ accessToken?: string }>('POST', '/api/core/auth/login', { email, password })
  if (accessToken === undefined) throw new Error(`${email} has a second factor, which a tour does not`)
  return {
    get: (path) => call('GET', path, undefined, accessToken),
    post: (path, body) => call('POST', path, body, accessToken),
    put: (path, body) => call('PUT', path, body, accessToken),
    delete: (path) => call('DELETE', path, undefined, accessToken),
  }
}
