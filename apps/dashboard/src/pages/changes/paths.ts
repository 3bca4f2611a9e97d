export const CHANGE_REQUESTS = '/api/core/change-requests'
