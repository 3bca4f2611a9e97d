export { kybFormRoutes } from './kyb-form.ts'
export { providerEventRoutes } from './provider-events.ts'
