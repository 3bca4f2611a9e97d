import { everyRoute } from '../apps/server/testing/every-route.ts'

/** The OpenAPI document of the sandbox, built from the routes. It starts no database and no chain. */
export async function openApiDocument(options?: { readonly preview?: boolean }): Promise<object> {
  const { app } = await everyRoute(options)
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}
