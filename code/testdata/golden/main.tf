# The region to run in.
variable "region" {
  type    = string
  default = "eu-west-1"
}

terraform {
  required_version = ">= 1.5"
}

/* The store's bucket. */
resource "aws_s3_bucket" "store" {
  bucket = "store-${var.region}"

  lifecycle_rule {
    enabled = true
    expiration {
      days = 30
    }
  }

  tags = {
    Name = "store"
  }
}

locals {
  names = ["a", "b"]
}
