-- The planner keeps values of a column in its statistics, also after their rows were deleted. Hashes
-- of addresses end after 24 hours, and the URL of a webhook can contain personal data. No plan
-- depends on these columns: an address is looked up by an index that begins with school_id, address.

-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE invitation_deliveries
    ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE sign_in_links
    ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE webhook_endpoints
    ALTER COLUMN url SET STATISTICS 0;
